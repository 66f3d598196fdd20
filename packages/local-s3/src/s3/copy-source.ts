import { S3Error } from './s3-error.ts'

/** What `x-amz-copy-source` names. */
export function parseCopySource(header: string): { bucket: string; key: string } {
  const [, bucket, key] = /^\/?([^/]+)\/(.+)$/s.exec(decode(header.replace(/\?versionId=null$/, ''))) ?? []
  if (bucket !== undefined && key !== undefined) return { bucket, key }
  throw new S3Error(
    'InvalidArgument',
    'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
    { ArgumentName: 'x-amz-copy-source', ArgumentValue: header },
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
