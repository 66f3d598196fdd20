import { type Deployment, databaseUser } from '../deployment.ts'
import { trust } from './roles.ts'
import { getAtt, ref, sub, type TemplateResources, toTags } from './template.ts'

const port = 5432

/** Aurora Serverless v2 behind an RDS Proxy, which keeps a burst of functions from exhausting its connections. */
export function databaseResources(deployment: Deployment): TemplateResources {
  if (deployment.database !== 'aurora') return {}
  const { app, stage, keepData } = deployment
  const Tags = toTags(deployment.tags)
  const name = [app.name, ...(stage === undefined ? [] : [stage])].join('-')
  const policy = keepData ? 'Snapshot' : 'Delete'
  return {
    FunctionsSecurityGroup: securityGroup('functions', []),
    ProxySecurityGroup: securityGroup('the database proxy', ['FunctionsSecurityGroup']),
    DatabaseSecurityGroup: securityGroup('the database', ['ProxySecurityGroup']),
    DatabaseSecret: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: {
        Description: `The database user of ${name}`,
        GenerateSecretString: {
          SecretStringTemplate: JSON.stringify({ username: databaseUser }),
          GenerateStringKey: 'password',
          PasswordLength: 40,
          // It becomes part of a URL.
          ExcludePunctuation: true,
        },
        Tags,
      },
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
    },
    DatabaseSubnets: {
      Type: 'AWS::RDS::DBSubnetGroup',
      Properties: { DBSubnetGroupDescription: `The database of ${name}`, SubnetIds: ref('SubnetIds'), Tags },
    },
    Database: {
      Type: 'AWS::RDS::DBCluster',
      DeletionPolicy: policy,
      UpdateReplacePolicy: policy,
      Properties: {
        Engine: 'aurora-postgresql',
        EngineVersion: '17.4',
        DatabaseName: 'app',
        MasterUsername: databaseUser,
        MasterUserPassword: sub(`{{resolve:secretsmanager:\${DatabaseSecret}:SecretString:password}}`),
        DBSubnetGroupName: ref('DatabaseSubnets'),
        VpcSecurityGroupIds: [getAtt('DatabaseSecurityGroup', 'GroupId')],
        ServerlessV2ScalingConfiguration: { MinCapacity: 0.5, MaxCapacity: 16 },
        StorageEncrypted: true,
        BackupRetentionPeriod: keepData ? 14 : 1,
        CopyTagsToSnapshot: true,
        DeletionProtection: keepData,
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
                  Resource: [ref('DatabaseSecret')],
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
        DBProxyName: name,
        EngineFamily: 'POSTGRESQL',
        RequireTLS: true,
        IdleClientTimeout: 900,
        RoleArn: getAtt('DatabaseProxyRole', 'Arn'),
        Auth: [{ AuthScheme: 'SECRETS', IAMAuth: 'DISABLED', SecretArn: ref('DatabaseSecret') }],
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

  function securityGroup(what: string, from: readonly string[]) {
    return {
      Type: 'AWS::EC2::SecurityGroup',
      Properties: {
        GroupDescription: `${name}: ${what}`,
        VpcId: ref('VpcId'),
        SecurityGroupIngress: from.map(group => ({
          IpProtocol: 'tcp',
          FromPort: port,
          ToPort: port,
          SourceSecurityGroupId: getAtt(group, 'GroupId'),
          Description: 'PostgreSQL',
        })),
        SecurityGroupEgress: [
          { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp: '0.0.0.0/0', Description: 'AWS' },
          { IpProtocol: 'tcp', FromPort: port, ToPort: port, CidrIp: '0.0.0.0/0', Description: 'PostgreSQL' },
        ],
        Tags,
      },
    }
  }
}
