/** An error as S3 reports it: an HTTP status, a code that SDKs turn into `error.name`, and a sentence. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
  readonly status: number
  readonly code: string
  /** Further elements of the XML body. */
  readonly details: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: S3ErrorCode,
    message: string = messages[code][1],
    details: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.code = code
    this.status = messages[code][0]
    this.details = details
    this.headers = headers
  }
}

export type S3ErrorCode =
  | 'AccessControlListNotSupported'
  | 'AccessDenied'
  | 'AccessForbidden'
  | 'AuthorizationHeaderMalformed'
  | 'AuthorizationQueryParametersError'
  | 'BadDigest'
  | 'BadRequest'
  | 'BucketAlreadyOwnedByYou'
  | 'BucketNotEmpty'
  | 'EntityTooLarge'
  | 'EntityTooSmall'
  | 'IncompleteBody'
  | 'InternalError'
  | 'InvalidAccessKeyId'
  | 'InvalidArgument'
  | 'InvalidBucketName'
  | 'InvalidDigest'
  | 'InvalidPart'
  | 'InvalidPartNumber'
  | 'InvalidPartOrder'
  | 'InvalidPolicyDocument'
  | 'InvalidRange'
  | 'InvalidRequest'
  | 'InvalidStorageClass'
  | 'InvalidURI'
  | 'KeyTooLongError'
  | 'MalformedPOSTRequest'
  | 'MalformedTrailerError'
  | 'MalformedXML'
  | 'MaxMessageLengthExceeded'
  | 'MetadataTooLarge'
  | 'MethodNotAllowed'
  | 'MissingContentLength'
  | 'NoSuchBucket'
  | 'NoSuchKey'
  | 'NoSuchUpload'
  | 'NotImplemented'
  | 'NotModified'
  | 'PreconditionFailed'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch'
  | 'XAmzContentSHA256Mismatch'

const messages: Record<S3ErrorCode, readonly [status: number, message: string]> = {
  AccessControlListNotSupported: [400, 'The bucket does not allow ACLs'],
  AccessDenied: [403, 'Access Denied'],
  AccessForbidden: [
    403,
    'CORSResponse: This CORS request is not allowed: its origin, method or headers are not those of the bucket.',
  ],
  AuthorizationHeaderMalformed: [400, 'The authorization header you provided is invalid.'],
  AuthorizationQueryParametersError: [400, 'The query parameters of the presigned URL are invalid.'],
  BadDigest: [400, 'The checksum you specified did not match what we received.'],
  BadRequest: [400, 'Bad Request'],
  BucketAlreadyOwnedByYou: [409, 'Your previous request to create the named bucket succeeded.'],
  BucketNotEmpty: [409, 'The bucket you tried to delete is not empty.'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed object size.'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed object size.'],
  IncompleteBody: [400, 'The request body ended before the number of bytes that its headers announced.'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The AWS Access Key Id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidDigest: [400, 'The Content-MD5 you specified is not valid.'],
  InvalidPart: [
    400,
    'One or more of the specified parts could not be found or has another ETag or checksum.',
  ],
  InvalidPartNumber: [416, 'The requested partnumber is not satisfiable'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order.'],
  InvalidPolicyDocument: [400, 'The content of the form does not meet the conditions of a policy document.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidStorageClass: [400, 'The storage class you specified is not valid'],
  InvalidURI: [400, "Couldn't parse the specified URI."],
  KeyTooLongError: [400, 'Your key is too long'],
  MalformedPOSTRequest: [400, 'The body of your POST request is not well-formed multipart/form-data.'],
  MalformedTrailerError: [400, 'The request contained trailing data that was not well-formed.'],
  MalformedXML: [400, 'The XML you provided was not well-formed or did not validate.'],
  MaxMessageLengthExceeded: [400, 'Your request was too big.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size.'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [404, 'The specified multipart upload does not exist.'],
  NotImplemented: [501, 'This server does not implement what the request asks for.'],
  NotModified: [304, 'Not Modified'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the current time is too large.'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  ],
  XAmzContentSHA256Mismatch: [
    400,
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
}
