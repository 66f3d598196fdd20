import type { JsonObject } from '@stepwright/asl'
import { type ServiceCall, TaskFailure } from '@stepwright/asl-engine'
import { serviceName } from '../service-name.ts'
import { jobKindOf } from './job-kind.ts'

/** Answers for an AWS service that does not run here. With `.sync` its promise is the job. */
export type StandIn = (
  // biome-ignore lint/suspicious/noExplicitAny: whatever the state machine passes
  parameters: any,
  context: { readonly signal: AbortSignal },
) => unknown

export interface StandInSurroundings {
  readonly account: string
  readonly region: string
  readonly now: () => number
  readonly uuid: () => string
}

/**
 * Calls a stand-in as Step Functions calls the service. A job that `.sync` waits for and that failed, or whose process
 * died, is `States.TaskFailed` with the job as its cause.
 */
export async function callStandIn(
  standIn: StandIn,
  call: ServiceCall,
  surroundings: StandInSurroundings,
): Promise<unknown> {
  const { service, action, pattern } = call
  const waits = pattern === 'sync' || pattern === 'sync:2'
  const kind = waits ? jobKindOf(service, action) : undefined
  const run = async (): Promise<unknown> => standIn(call.parameters, { signal: call.signal })
  if (kind === undefined) {
    try {
      return await run()
    } catch (error) {
      if (!isDeath(error)) throw error
      throw new TaskFailure(`${serviceName(service)}.SdkClientException`, error.message)
    }
  }
  const { now, uuid, region, account } = surroundings
  const parameters = call.parameters as JsonObject
  const startedMs = now()
  // A job of an earlier process died with it. It is run again under its identity.
  const submitted = (call.before ??
    kind.submit(parameters, { id: uuid(), account: `${region}:${account}` })) as JsonObject
  if (call.before === undefined) call.submitted(submitted)
  const outcome = await run().catch((error: unknown) => {
    if (isDeath(error)) return kind.died(error.message)
    throw error
  })
  const job = {
    ...kind.describe(parameters, submitted, { startedMs, endedMs: now() }),
    ...(outcome as JsonObject | null | undefined),
  }
  if (kind.hasFailed(job)) throw new TaskFailure('States.TaskFailed', JSON.stringify(job))
  return job
}

/** Its process was killed or ended, or it took too long: nothing that the stand-in said. */
function isDeath(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'Runtime.ExitError' || error.name === 'Sandbox.Timedout')
}
