import { bucketArn, executionArn } from '../arn.ts'
import { allow, type Statement } from '../statement.ts'
import { type Call, createCall, isObject } from './call.ts'
import type { KnownValues } from './known-values.ts'
import { listBucket } from './s3.ts'

type Fields = Readonly<Record<string, unknown>>

/** A Distributed Map starts its children as executions of the same machine, reads items and writes results. */
export function mapStatements(
  state: Fields,
  stateMachineArn: string,
  known: KnownValues,
  isJsonata: boolean,
): readonly Statement[] {
  const label = typeof state['Label'] === 'string' ? state['Label'] : undefined
  const children = executionArn(stateMachineArn, label === undefined ? '/*' : `/${label}:*`)
  const field = isJsonata ? 'Arguments' : 'Parameters'
  const callOf = (part: unknown): Call | undefined => {
    if (!isObject(part) || typeof part['Resource'] !== 'string') return undefined
    const action = part['Resource'].split(':').at(-1) ?? ''
    return createCall({ service: 's3', action, pattern: 'request' }, part[field] ?? '*', known)
  }
  const reader = callOf(state['ItemReader'])
  const writer = callOf(state['ResultWriter'])
  return [
    allow('StartChildren', ['states:StartExecution'], [stateMachineArn]),
    allow(
      'FollowChildren',
      ['states:DescribeExecution', 'states:RedriveExecution', 'states:StopExecution'],
      [children],
    ),
    ...(reader === undefined ? [] : readItems(reader, state['ItemReader'] as Fields)),
    ...(writer === undefined ? [] : [writeResults(writer)]),
  ]
}

function readItems(call: Call, reader: Fields): readonly Statement[] {
  const bucket = call.text('Bucket') ?? '*'
  const prefix = call.text('Prefix')
  const config = isObject(reader['ReaderConfig']) ? reader['ReaderConfig'] : {}
  if (call.action === 'listObjectsV2') {
    const reads = config['Transformation'] === 'LOAD_AND_FLATTEN'
    return [listBucket(bucket, prefix), ...(reads ? [readObjects(bucket, `${prefix ?? ''}*`)] : [])]
  }
  // A manifest leads to the files that it names.
  const isManifest = config['InputType'] === 'MANIFEST'
  return [readObjects(bucket, isManifest ? '*' : (call.text('Key') ?? '*'))]
}

function readObjects(bucket: string, key: string): Statement {
  return allow('ReadItems', ['s3:GetObject'], [`${bucketArn(bucket)}/${key.replaceAll(/\*{2,}/g, '*')}`])
}

function writeResults(call: Call): Statement {
  const prefix = call.text('Prefix')?.replace(/\/$/, '')
  const below =
    prefix === undefined || prefix === '' || prefix === '*'
      ? '*'
      : prefix.endsWith('*')
        ? prefix
        : `${prefix}/*`
  return allow(
    'WriteResults',
    ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
    [`${bucketArn(call.text('Bucket') ?? '*')}/${below}`],
  )
}
