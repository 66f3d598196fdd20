/** The attributes of a record; all but `owner` and `encoding` are those of Powertools. */
export interface DynamoDbAttributes {
  /** @default 'id' */
  readonly key: string
  /** @default 'status' */
  readonly status: string
  /** Seconds since the epoch; the table's TTL attribute. @default 'expiration' */
  readonly expiration: string
  /** Milliseconds since the epoch. @default 'in_progress_expiration' */
  readonly lockExpiration: string
  /** @default 'data' */
  readonly data: string
  /** @default 'validation' */
  readonly fingerprint: string
  /** @default 'owner' */
  readonly owner: string
  /** `json` where `data` is JSON text, because DynamoDB has no type for the value, or no room. @default 'encoding' */
  readonly encoding: string
}

export const powertoolsAttributes: DynamoDbAttributes = {
  key: 'id',
  status: 'status',
  expiration: 'expiration',
  lockExpiration: 'in_progress_expiration',
  data: 'data',
  fingerprint: 'validation',
  owner: 'owner',
  encoding: 'encoding',
}
