import { DescribeMapRunCommand, type HistoryEvent } from '@aws-sdk/client-sfn'
import type { MapRunDescription } from '../protocol.ts'
import type { ApiContext } from './context.ts'
import { mapRunArnsOf } from './cost.ts'

/** The execution whose Distributed Map it is a run of. */
export async function parentOf(
  { stepFunctions }: ApiContext,
  mapRunArn: string,
): Promise<string | undefined> {
  return (await stepFunctions.send(new DescribeMapRunCommand({ mapRunArn }))).executionArn
}

/** The runs of Distributed Maps that a history tells of. */
export async function describeMapRuns(
  { stepFunctions }: Pick<ApiContext, 'stepFunctions'>,
  events: readonly HistoryEvent[],
): Promise<readonly MapRunDescription[]> {
  return Promise.all(
    mapRunArnsOf(events).map(async mapRunArn => {
      const run = await stepFunctions.send(new DescribeMapRunCommand({ mapRunArn }))
      const {
        total = 0,
        succeeded = 0,
        failed = 0,
        running = 0,
        pending = 0,
        aborted = 0,
      } = run.itemCounts ?? {}
      return {
        arn: mapRunArn,
        status: run.status ?? '',
        startMs: run.startDate?.getTime() ?? 0,
        stopMs: run.stopDate?.getTime(),
        maxConcurrency: run.maxConcurrency ?? 0,
        toleratedFailureCount: run.toleratedFailureCount ?? 0,
        toleratedFailurePercentage: run.toleratedFailurePercentage ?? 0,
        items: { total, started: total - pending, succeeded, failed, running, pending, aborted },
      }
    }),
  )
}
