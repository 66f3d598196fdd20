import * as attributes from './attribute-operations.ts'
import * as buckets from './bucket-operations.ts'
import * as copies from './copy-operations.ts'
import * as lists from './list-operations.ts'
import * as uploads from './list-uploads-operations.ts'
import * as multipart from './multipart-operations.ts'
import type { Operation } from './operation.ts'
import * as reads from './read-operations.ts'
import { S3Error } from './s3-error.ts'
import type { S3Request } from './s3-request.ts'
import * as writes from './write-operations.ts'

interface Route {
  readonly method: string
  readonly on: 'service' | 'bucket' | 'object'
  readonly operation: Operation
  /** As IAM names it. */
  readonly action: string
  /** A query parameter or header without which the route is another. */
  readonly withQuery?: string
  readonly withHeader?: string
  readonly parameters?: readonly string[]
}

const list = ['prefix', 'delimiter', 'max-keys', 'encoding-type']
const read = [
  'partNumber',
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
]

const routes: readonly Route[] = [
  {
    method: 'GET',
    on: 'service',
    parameters: ['max-buckets', 'continuation-token', 'prefix', 'bucket-region'],
    operation: buckets.listBuckets,
    action: 's3:ListAllMyBuckets',
  },
  { method: 'PUT', on: 'bucket', operation: buckets.createBucket, action: 's3:CreateBucket' },
  { method: 'HEAD', on: 'bucket', operation: buckets.headBucket, action: 's3:ListBucket' },
  { method: 'DELETE', on: 'bucket', operation: buckets.deleteBucket, action: 's3:DeleteBucket' },
  {
    method: 'GET',
    on: 'bucket',
    withQuery: 'location',
    operation: buckets.getBucketLocation,
    action: 's3:GetBucketLocation',
  },
  {
    method: 'GET',
    on: 'bucket',
    withQuery: 'uploads',
    parameters: ['prefix', 'key-marker', 'upload-id-marker', 'max-uploads', 'encoding-type'],
    operation: uploads.listMultipartUploads,
    action: 's3:ListBucketMultipartUploads',
  },
  {
    method: 'GET',
    on: 'bucket',
    withQuery: 'list-type',
    parameters: [...list, 'continuation-token', 'start-after', 'fetch-owner'],
    operation: lists.listObjectsV2,
    action: 's3:ListBucket',
  },
  {
    method: 'GET',
    on: 'bucket',
    parameters: [...list, 'marker'],
    operation: lists.listObjects,
    action: 's3:ListBucket',
  },
  {
    method: 'POST',
    on: 'bucket',
    withQuery: 'delete',
    operation: writes.deleteObjects,
    action: 's3:DeleteObject',
  },
  {
    method: 'POST',
    on: 'object',
    withQuery: 'uploads',
    operation: multipart.createMultipartUpload,
    action: 's3:PutObject',
  },
  {
    method: 'POST',
    on: 'object',
    withQuery: 'uploadId',
    operation: multipart.completeMultipartUpload,
    action: 's3:PutObject',
  },
  {
    method: 'PUT',
    on: 'object',
    withQuery: 'uploadId',
    withHeader: 'x-amz-copy-source',
    parameters: ['partNumber'],
    operation: copies.uploadPartCopy,
    action: 's3:PutObject',
  },
  {
    method: 'PUT',
    on: 'object',
    withQuery: 'uploadId',
    parameters: ['partNumber'],
    operation: multipart.uploadPart,
    action: 's3:PutObject',
  },
  {
    method: 'PUT',
    on: 'object',
    withHeader: 'x-amz-copy-source',
    operation: copies.copyObject,
    action: 's3:PutObject',
  },
  { method: 'PUT', on: 'object', operation: writes.putObject, action: 's3:PutObject' },
  {
    method: 'GET',
    on: 'object',
    withQuery: 'uploadId',
    parameters: ['max-parts', 'part-number-marker'],
    operation: uploads.listParts,
    action: 's3:ListMultipartUploadParts',
  },
  {
    method: 'GET',
    on: 'object',
    withQuery: 'tagging',
    operation: attributes.getObjectTagging,
    action: 's3:GetObjectTagging',
  },
  {
    method: 'GET',
    on: 'object',
    withQuery: 'attributes',
    operation: attributes.getObjectAttributes,
    action: 's3:GetObjectAttributes',
  },
  { method: 'GET', on: 'object', parameters: read, operation: reads.getObject, action: 's3:GetObject' },
  { method: 'HEAD', on: 'object', parameters: read, operation: reads.headObject, action: 's3:GetObject' },
  {
    method: 'DELETE',
    on: 'object',
    withQuery: 'uploadId',
    operation: multipart.abortMultipartUpload,
    action: 's3:AbortMultipartUpload',
  },
  { method: 'DELETE', on: 'object', operation: writes.deleteObject, action: 's3:DeleteObject' },
]

/** The operation that a request asks for; throws for what this server does not know, rather than guess. */
export function findOperation(request: S3Request): Pick<Route, 'operation' | 'action'> {
  const on = request.bucket === '' ? 'service' : request.key === '' ? 'bucket' : 'object'
  const route = routes.find(
    one =>
      one.method === request.method &&
      one.on === on &&
      (one.withQuery === undefined || one.withQuery in request.query) &&
      (one.withHeader === undefined || one.withHeader in request.headers),
  )
  if (route === undefined) throw new S3Error('MethodNotAllowed', undefined, { Method: request.method })
  const known = new Set([route.withQuery, 'x-id', ...(route.parameters ?? [])])
  const unknown = Object.keys(request.query).find(name => !known.has(name) && !/^x-amz-/i.test(name))
  if (unknown !== undefined) {
    throw new S3Error('NotImplemented', `This server does not implement the parameter ${unknown}`, {
      Parameter: unknown,
    })
  }
  return route
}
