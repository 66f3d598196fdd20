import type { Deployment } from '../deployment.ts'
import { getAtt, ref, type TemplateResource, type TemplateResources, toTags } from './template.ts'

export const postgresPort = 5432
const httpsPort = 443
/** A group without a rule would let everything out. */
const nowhere = { IpProtocol: '-1', CidrIp: '127.0.0.1/32', Description: 'Nowhere' }

/** Who may talk to whom: functions to AWS's APIs and to the proxy, that to the database, and the database to nobody. */
export function networkResources(deployment: Deployment): TemplateResources {
  const { app, stage, database, inVpc } = deployment
  if (!inVpc) return {}
  const name = [app.name, ...(stage === undefined ? [] : [stage])].join('-')
  const group = (what: string, SecurityGroupEgress: readonly object[]): TemplateResource => ({
    Type: 'AWS::EC2::SecurityGroup',
    Properties: {
      GroupDescription: `${name}: ${what}`,
      VpcId: ref('VpcId'),
      SecurityGroupEgress,
      Tags: toTags(deployment.tags),
    },
  })
  const toApis = { ...onPort(httpsPort), CidrIp: '0.0.0.0/0', Description: 'APIs of AWS' }
  if (database !== 'aurora') {
    const toDatabase = { ...onPort(ref('DatabasePort')), CidrIp: '0.0.0.0/0', Description: 'PostgreSQL' }
    return { FunctionsSecurityGroup: group('functions', [toApis, toDatabase]) }
  }
  return {
    DatabaseSecurityGroup: group('the database', [nowhere]),
    ProxySecurityGroup: group('the database proxy', [to('DatabaseSecurityGroup')]),
    FunctionsSecurityGroup: group('functions', [toApis, to('ProxySecurityGroup')]),
    ProxyIngress: ingress('ProxySecurityGroup', 'FunctionsSecurityGroup'),
    DatabaseIngress: ingress('DatabaseSecurityGroup', 'ProxySecurityGroup'),
  }
}

function onPort(port: number | ReturnType<typeof ref>): object {
  return { IpProtocol: 'tcp', FromPort: port, ToPort: port }
}

function to(group: string): object {
  return {
    ...onPort(postgresPort),
    DestinationSecurityGroupId: getAtt(group, 'GroupId'),
    Description: 'PostgreSQL',
  }
}

/** Of its own, since each of the two groups names the other. */
function ingress(group: string, from: string): TemplateResource {
  return {
    Type: 'AWS::EC2::SecurityGroupIngress',
    Properties: {
      GroupId: getAtt(group, 'GroupId'),
      ...onPort(postgresPort),
      SourceSecurityGroupId: getAtt(from, 'GroupId'),
      Description: 'PostgreSQL',
    },
  }
}
