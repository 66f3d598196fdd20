import { S3Error } from './s3-error.ts'
import { queryValue, type S3Request } from './s3-request.ts'

export interface KeyEncoding {
  readonly encodingType: string | undefined
  readonly encode: (text: string) => string
}

/** How a listing writes keys: as they are, or as a URL does, for those that XML cannot write. */
export function keyEncoding(request: S3Request): KeyEncoding {
  const encodingType = queryValue(request, 'encoding-type')
  if (encodingType !== undefined && encodingType !== 'url') {
    throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request', {
      ArgumentName: 'encoding-type',
      ArgumentValue: encodingType,
    })
  }
  return { encodingType, encode: encodingType === 'url' ? encodeKey : text => text }
}

function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replaceAll('%20', '+')
    .replace(/[!'()]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
