import { block, type Convert, kept, type Properties } from './convert.ts'

export const databaseConverters: Readonly<Record<string, Convert>> = {
  'AWS::EC2::SecurityGroup': (id, given, { value, tags }) => {
    // Terraform takes the rule away that lets everything out.
    const rules: readonly Properties[] = given.SecurityGroupEgress.filter(
      ({ CidrIp }: Properties) => CidrIp !== '127.0.0.1/32',
    )
    return {
      aws_security_group: { description: given.GroupDescription, vpc_id: value(given.VpcId), tags },
      ...Object.fromEntries(
        rules.map((rule, index) => [
          `aws_vpc_security_group_egress_rule ${id}${index + 1}`,
          { security_group_id: `\${aws_security_group.${id}.id}`, ...toRule(rule, value) },
        ]),
      ),
    }
  },
  'AWS::EC2::SecurityGroupIngress': (_id, given, { value }) => ({
    aws_vpc_security_group_ingress_rule: { security_group_id: value(given.GroupId), ...toRule(given, value) },
  }),
  'AWS::RDS::DBSubnetGroup': (_id, given, { value, tags, stackName }) => ({
    aws_db_subnet_group: {
      name: stackName,
      description: given.DBSubnetGroupDescription,
      subnet_ids: value(given.SubnetIds),
      tags,
    },
  }),
  'AWS::RDS::DBCluster': (_id, given, { value, tags, stackName }, resource) => {
    const { ServerlessV2ScalingConfiguration: scaling } = given
    const isKept = resource.DeletionPolicy === 'Snapshot'
    return {
      aws_rds_cluster: block({
        cluster_identifier: stackName,
        engine: given.Engine,
        engine_version: given.EngineVersion,
        database_name: given.DatabaseName,
        master_username: given.MasterUsername,
        manage_master_user_password: given.ManageMasterUserPassword,
        db_subnet_group_name: value(given.DBSubnetGroupName),
        vpc_security_group_ids: value(given.VpcSecurityGroupIds),
        serverlessv2_scaling_configuration: {
          min_capacity: scaling.MinCapacity,
          max_capacity: scaling.MaxCapacity,
        },
        storage_encrypted: given.StorageEncrypted,
        backup_retention_period: given.BackupRetentionPeriod,
        copy_tags_to_snapshot: given.CopyTagsToSnapshot,
        deletion_protection: given.DeletionProtection,
        iam_database_authentication_enabled: given.EnableIAMDatabaseAuthentication,
        enabled_cloudwatch_logs_exports: given.EnableCloudwatchLogsExports,
        skip_final_snapshot: !isKept,
        final_snapshot_identifier: isKept ? `${stackName}-final` : undefined,
        tags,
        ...kept(resource),
      }),
    }
  },
  'AWS::RDS::DBInstance': (_id, given, { value, tags }) => ({
    aws_rds_cluster_instance: {
      cluster_identifier: value(given.DBClusterIdentifier),
      instance_class: given.DBInstanceClass,
      engine: given.Engine,
      performance_insights_enabled: given.EnablePerformanceInsights,
      publicly_accessible: given.PubliclyAccessible,
      tags,
    },
  }),
  'AWS::RDS::DBProxy': (_id, given, { value, tags }) => ({
    aws_db_proxy: {
      name: given.DBProxyName,
      engine_family: given.EngineFamily,
      require_tls: given.RequireTLS,
      idle_client_timeout: given.IdleClientTimeout,
      role_arn: value(given.RoleArn),
      auth: given.Auth.map((each: Properties) => ({
        auth_scheme: each.AuthScheme,
        iam_auth: each.IAMAuth,
        secret_arn: value(each.SecretArn),
      })),
      vpc_subnet_ids: value(given.VpcSubnetIds),
      vpc_security_group_ids: value(given.VpcSecurityGroupIds),
      tags,
    },
  }),
  'AWS::RDS::DBProxyTargetGroup': (id, given, { value }) => {
    const { ConnectionPoolConfigurationInfo: pool } = given
    return {
      aws_db_proxy_default_target_group: {
        db_proxy_name: value(given.DBProxyName),
        connection_pool_config: {
          max_connections_percent: pool.MaxConnectionsPercent,
          connection_borrow_timeout: pool.ConnectionBorrowTimeout,
        },
      },
      aws_db_proxy_target: {
        db_proxy_name: value(given.DBProxyName),
        target_group_name: `\${aws_db_proxy_default_target_group.${id}.name}`,
        db_cluster_identifier: value(given.DBClusterIdentifiers[0]),
        depends_on: ['aws_rds_cluster_instance.DatabaseInstance'],
      },
    }
  },
}

function toRule(rule: Properties, value: (given: unknown) => unknown): object {
  return block({
    ip_protocol: rule.IpProtocol,
    from_port: rule.FromPort,
    to_port: rule.ToPort,
    cidr_ipv4: rule.CidrIp,
    referenced_security_group_id: value(rule.DestinationSecurityGroupId ?? rule.SourceSecurityGroupId),
    description: rule.Description,
  })
}
