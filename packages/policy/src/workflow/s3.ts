import { bucketArn } from '../arn.ts'
import { allow, type Statement } from '../statement.ts'
import { type Call, pascal } from './call.ts'

/** What IAM calls S3's operations on objects, where it calls them otherwise. */
const objectActions: Readonly<Record<string, readonly string[]>> = {
  abortMultipartUpload: ['s3:AbortMultipartUpload'],
  completeMultipartUpload: ['s3:PutObject'],
  createMultipartUpload: ['s3:PutObject'],
  deleteObject: ['s3:DeleteObject'],
  deleteObjectTagging: ['s3:DeleteObjectTagging'],
  getObject: ['s3:GetObject'],
  getObjectAttributes: ['s3:GetObject', 's3:GetObjectAttributes'],
  getObjectTagging: ['s3:GetObjectTagging'],
  headObject: ['s3:GetObject'],
  listParts: ['s3:ListMultipartUploadParts'],
  putObject: ['s3:PutObject'],
  putObjectTagging: ['s3:PutObjectTagging'],
  restoreObject: ['s3:RestoreObject'],
  uploadPart: ['s3:PutObject'],
}

const bucketActions: Readonly<Record<string, string>> = {
  headBucket: 's3:ListBucket',
  listMultipartUploads: 's3:ListBucketMultipartUploads',
  listObjects: 's3:ListBucket',
  listObjectsV2: 's3:ListBucket',
  listObjectVersions: 's3:ListBucketVersions',
}

export function s3Statements(call: Call): readonly Statement[] {
  const { action } = call
  const bucket = call.text('Bucket') ?? '*'
  const object = `${bucketArn(bucket)}/${call.text('Key') ?? '*'}`
  if (action === 'listBuckets') return [allow('ListBuckets', ['s3:ListAllMyBuckets'], ['*'])]
  if (action === 'copyObject')
    return [
      allow('ReadObjects', ['s3:GetObject'], [sourceArn(call.text('CopySource'))]),
      allow('WriteObjects', ['s3:PutObject'], [object]),
    ]
  if (action === 'deleteObjects')
    return [allow('DeleteObjects', ['s3:DeleteObject'], [`${bucketArn(bucket)}/*`])]
  const onBucket = bucketActions[action]
  if (onBucket === 's3:ListBucket') return [listBucket(bucket, call.text('Prefix'))]
  if (onBucket !== undefined) return [allow('UseBuckets', [onBucket], [bucketArn(bucket)])]
  const onObject = objectActions[action]
  if (onObject === undefined) return [allow('UseBuckets', [`s3:${pascal(action)}`], [bucketArn(bucket)])]
  const version = call.value('VersionId') === undefined ? [] : onObject.map(each => `${each}Version`)
  const versioned = onObject.every(each => /^s3:(Get|Delete)/.test(each)) ? version : []
  return [allow(sidOf(onObject), versioned.length > 0 ? versioned : onObject, [object])]
}

/** A listing of a prefix; without one, of all that the bucket has. */
export function listBucket(bucket: string, prefix: string | undefined): Statement {
  const like =
    prefix === undefined || prefix === '' ? undefined : prefix.endsWith('*') ? prefix : `${prefix}*`
  return allow(
    'ListObjects',
    ['s3:ListBucket'],
    [bucketArn(bucket)],
    like === undefined || like === '*' ? undefined : { StringLike: { 's3:prefix': [like] } },
  )
}

function sourceArn(source = '*'): string {
  const path = source.replace(/^\//, '').replace(/\?versionId=.*/, '')
  const [bucket = '*', ...key] = path.split('/')
  return `${bucketArn(bucket)}/${key.length === 0 ? '*' : key.join('/')}`
}

function sidOf(actions: readonly string[]): string {
  if (actions.some(action => action.startsWith('s3:Get'))) return 'ReadObjects'
  return actions.some(action => action.startsWith('s3:Delete')) ? 'DeleteObjects' : 'WriteObjects'
}
