import { arnOf, toArn } from '../../arn.ts'
import { allow, type Statement } from '../../statement.ts'
import type { Call } from '../call.ts'

export function apiArn(call: Call): string {
  const id = call.text('ApiEndpoint')?.split('.')[0] ?? '*'
  const stage = call.text('Stage') ?? '*'
  const method = call.text('Method') ?? '*'
  const path = (call.text('Path') ?? '/').replace(/^\//, '')
  return arnOf('execute-api', `${id}/${stage}/${method}/${path}`)
}

export function http(call: Call): readonly Statement[] {
  const connection =
    call.text('Authentication', 'ConnectionArn') ?? call.text('InvocationConfig', 'ConnectionArn')
  const method = call.text('Method')
  const endpoint = call.text('ApiEndpoint')
  const like = {
    ...(method !== undefined && method !== '*' && { 'states:HTTPMethod': [method] }),
    ...(endpoint !== undefined && endpoint !== '*' && { 'states:HTTPEndpoint': [endpoint] }),
  }
  return [
    allow(
      'CallHttpEndpoints',
      ['states:InvokeHTTPEndpoint'],
      ['*'],
      Object.keys(like).length === 0 ? undefined : { StringLike: like },
    ),
    ...(connection === undefined
      ? []
      : [
          allow(
            'UseConnections',
            ['events:RetrieveConnectionCredentials'],
            [toArn(connection, 'events', 'connection/')],
          ),
        ]),
    allow(
      'ReadConnections',
      ['secretsmanager:GetSecretValue', 'secretsmanager:DescribeSecret'],
      [arnOf('secretsmanager', 'secret:events!connection/*')],
    ),
  ]
}
