import { type Deployment, databaseUser } from '../deployment.ts'
import { trust } from './roles.ts'
import { protection } from './storage.ts'
import { getAtt, ref, type TemplateResources, toTags } from './template.ts'

const engineVersion = '17.4'

/** Neither rows nor values of statements in the server's log. */
export const quietLogs = {
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_min_messages: 'fatal',
} as const

/**
 * Aurora Serverless v2 behind an RDS Proxy, which keeps a burst of functions from exhausting its connections, and lets
 * in whoever IAM allows to be its user.
 */
export function databaseResources(deployment: Deployment): TemplateResources {
  if (deployment.database !== 'aurora') return {}
  const { app, stage, keepData } = deployment
  const Tags = toTags(deployment.tags)
  const name = [app.name, ...(stage === undefined ? [] : [stage])].join('-')
  const policy = keepData ? 'Snapshot' : 'Delete'
  return {
    DatabaseSubnets: {
      Type: 'AWS::RDS::DBSubnetGroup',
      Properties: { DBSubnetGroupDescription: `The database of ${name}`, SubnetIds: ref('SubnetIds'), Tags },
    },
    // By default PostgreSQL logs each row that a constraint rejects, and the statement with its values.
    DatabaseParameters: {
      Type: 'AWS::RDS::DBClusterParameterGroup',
      Properties: {
        Description: `The database of ${name}: logs without rows`,
        Family: `aurora-postgresql${engineVersion.split('.')[0]}`,
        Parameters: quietLogs,
        Tags,
      },
    },
    DatabaseLogs: {
      Type: 'AWS::Logs::LogGroup',
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      Properties: {
        LogGroupName: `/aws/rds/cluster/${name}/postgresql`,
        RetentionInDays: deployment.logRetentionDays,
        Tags,
      },
    },
    Database: {
      Type: 'AWS::RDS::DBCluster',
      // RDS would create the log group itself, and keep its lines forever.
      DependsOn: ['DatabaseLogs'],
      DeletionPolicy: policy,
      UpdateReplacePolicy: policy,
      Properties: {
        Engine: 'aurora-postgresql',
        EngineVersion: engineVersion,
        // The name of its log group.
        DBClusterIdentifier: name,
        DBClusterParameterGroupName: ref('DatabaseParameters'),
        DatabaseName: 'app',
        MasterUsername: databaseUser,
        // RDS keeps the password, and changes it every week; nobody but the proxy reads it.
        ManageMasterUserPassword: true,
        DBSubnetGroupName: ref('DatabaseSubnets'),
        VpcSecurityGroupIds: [getAtt('DatabaseSecurityGroup', 'GroupId')],
        ServerlessV2ScalingConfiguration: { MinCapacity: 0.5, MaxCapacity: 16 },
        StorageEncrypted: true,
        BackupRetentionPeriod: keepData ? 14 : 1,
        CopyTagsToSnapshot: true,
        DeletionProtection: protection(deployment),
        EnableIAMDatabaseAuthentication: true,
        EnableCloudwatchLogsExports: ['postgresql'],
        Tags,
      },
    },
    DatabaseInstance: {
      Type: 'AWS::RDS::DBInstance',
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      Properties: {
        DBClusterIdentifier: ref('Database'),
        DBInstanceClass: 'db.serverless',
        Engine: 'aurora-postgresql',
        EnablePerformanceInsights: true,
        PubliclyAccessible: false,
        Tags,
      },
    },
    DatabaseProxyRole: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: trust('rds.amazonaws.com'),
        Policies: [
          {
            PolicyName: 'needs',
            PolicyDocument: {
              Version: '2012-10-17',
              Statement: [
                {
                  Sid: 'ReadTheSecret',
                  Effect: 'Allow',
                  Action: ['secretsmanager:GetSecretValue'],
                  Resource: [getAtt('Database', 'MasterUserSecret.SecretArn')],
                },
              ],
            },
          },
        ],
        Tags,
      },
    },
    DatabaseProxy: {
      Type: 'AWS::RDS::DBProxy',
      Properties: {
        // Other subnets need another proxy, and CloudFormation creates it beside the old one: under another name.
        DBProxyName: { 'Fn::Join': ['', [name, ref('ProxySuffix')]] },
        EngineFamily: 'POSTGRESQL',
        RequireTLS: true,
        IdleClientTimeout: 900,
        RoleArn: getAtt('DatabaseProxyRole', 'Arn'),
        Auth: [
          {
            AuthScheme: 'SECRETS',
            IAMAuth: 'REQUIRED',
            SecretArn: getAtt('Database', 'MasterUserSecret.SecretArn'),
          },
        ],
        VpcSubnetIds: ref('SubnetIds'),
        VpcSecurityGroupIds: [getAtt('ProxySecurityGroup', 'GroupId')],
        Tags,
      },
    },
    DatabaseProxyTargets: {
      Type: 'AWS::RDS::DBProxyTargetGroup',
      DependsOn: ['DatabaseInstance'],
      Properties: {
        DBProxyName: ref('DatabaseProxy'),
        TargetGroupName: 'default',
        DBClusterIdentifiers: [ref('Database')],
        ConnectionPoolConfigurationInfo: { MaxConnectionsPercent: 90, ConnectionBorrowTimeout: 30 },
      },
    },
  }
}
