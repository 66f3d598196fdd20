import { join } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import { type App, functionDefaults, type PhysicalNames } from '@stepwright/app'
import { TaskFailure } from '@stepwright/asl-engine'
import {
  type FunctionContext,
  type StepFunctions,
  type StepFunctionsOptions,
  startStepFunctions,
} from '@stepwright/local-step-functions'
import { FunctionThrottledError } from '../functions/concurrency.ts'
import type { CallOptions } from '../functions/function-host.ts'
import { createS3Objects } from './s3-objects.ts'
import type { LocalServices } from './start-services.ts'

/** Above a function's own time, so that it is Lambda that gives up. */
const graceSeconds = 15

export interface ExecutionsOptions
  extends Pick<
    StepFunctionsOptions,
    'port' | 'guard' | 'executionLog' | 'expressHistory' | 'endpoints' | 'connections' | 'onFunctionCall'
  > {
  /** The cloud's, of which executions have a part. */
  readonly dataDirectory?: string
  readonly onStatusChange: NonNullable<StepFunctionsOptions['onStatusChange']>
  /** Calls a function, or with a signal a stand-in. */
  readonly call: (name: string, event: unknown, how: CallOptions) => Promise<unknown>
}

/** Starts Step Functions with the app's functions and stand-ins; nothing runs before `run()`. */
export async function startExecutions(
  app: App,
  names: PhysicalNames,
  { s3 }: Pick<LocalServices, 's3'>,
  { call, dataDirectory, ...options }: ExecutionsOptions,
  started: AsyncDisposableStack,
): Promise<StepFunctions> {
  const { endpoint, region, credentials } = s3
  const s3Client = started.adopt(new S3Client({ endpoint, region, credentials }), client => client.destroy())
  return started.use(
    await startStepFunctions({
      ...options,
      paused: true,
      ...(dataDirectory !== undefined && { dataDirectory: join(dataDirectory, 'step-functions') }),
      functions: Object.fromEntries(
        Object.entries<{ timeoutSeconds?: number }>(app.functions).map(
          ([name, { timeoutSeconds = functionDefaults.timeoutSeconds }]) => [
            names.functions[name] as string,
            {
              handler: (event: unknown, { awsRequestId: requestId }: FunctionContext) =>
                call(name, event, { requestId }).catch(error => {
                  throw error instanceof FunctionThrottledError ? toTaskFailure(error, requestId) : error
                }),
              timeoutSeconds: timeoutSeconds + graceSeconds,
            },
          ],
        ),
      ),
      standIns: Object.fromEntries(
        Object.keys(app.standIns ?? {}).map(key => [
          key,
          (parameters: unknown, { signal }: { readonly signal: AbortSignal }) =>
            call(key, parameters, { signal }),
        ]),
      ),
      objects: createS3Objects(s3Client),
    }),
  )
}

/** Step Functions names an error of Lambda itself after the service, and quotes it. */
function toTaskFailure({ name, message }: FunctionThrottledError, requestId: string): TaskFailure {
  return new TaskFailure(
    `Lambda.${name}`,
    `${message} (Service: Lambda, Status Code: 429, Request ID: ${requestId}) (SDK Attempt Count: 1)`,
  )
}
