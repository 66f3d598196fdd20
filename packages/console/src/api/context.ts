import type { Readable } from 'node:stream'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { S3Client } from '@aws-sdk/client-s3'
import type { SFNClient } from '@aws-sdk/client-sfn'
import type { SQSClient } from '@aws-sdk/client-sqs'
import type { App } from '@stepwright/app'
import type { Finding } from '@stepwright/asl'
import type { Prices } from '@stepwright/asl-engine'
import type { RunningApp } from '@stepwright/local-cloud'
import type { ConsoleFeed } from '../feed.ts'
import type { ExecutionIndex } from './execution-index.ts'
import type { Forks } from './forks.ts'
import type { Histories } from './histories.ts'
import type { Inspections } from './inspections.ts'

/** What the parts of the API work with. */
export interface ApiContext {
  readonly app: App
  readonly running: RunningApp
  readonly feed: ConsoleFeed
  readonly stepFunctions: SFNClient
  readonly s3: S3Client
  readonly dynamoDb: DynamoDBClient
  readonly sqs: SQSClient
  readonly histories: Histories
  readonly inspections: Inspections
  readonly forks: Forks
  readonly index: ExecutionIndex
  readonly check: (workflow: string) => readonly Finding[]
  readonly prices: Prices
  readonly ticketFor: (what: string) => string
}

export interface ApiRequest {
  readonly query: URLSearchParams
  /** The body, which must be a JSON object. */
  json(): Promise<Readonly<Record<string, unknown>>>
  /** The body as it comes in, and how long it is. */
  readonly body: { readonly stream: Readable; readonly length: number }
}

export type ApiRoute = (request: ApiRequest, context: ApiContext) => Promise<unknown>
export type ApiRoutes = Readonly<Record<`${'GET' | 'POST' | 'PUT'} /api/${string}`, ApiRoute>>
