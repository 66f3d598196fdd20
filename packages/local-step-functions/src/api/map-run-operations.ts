import type { World } from '../world.ts'
import { resourceMissing } from './api-error.ts'
import { type Operations, toSeconds } from './operation.ts'
import { checkArn, takePage } from './request.ts'

/** Reading the runs of Distributed Maps. */
export function mapRunOperations({ executions, mapRuns }: World): Operations {
  return {
    ListMapRuns: async parameters => {
      const arn = checkArn(parameters.text('executionArn'), 'execution')
      const execution = executions.get(arn)
      const found = executions
        .history(arn)
        .filter(({ type }) => type === 'MapRunStarted')
        .flatMap(({ details }) => mapRuns.get(String(details?.['mapRunArn'])) ?? [])
      const { items, nextToken } = takePage(found, parameters, run => [run.startMs, run.mapRunArn])
      return {
        mapRuns: items.map(run => ({
          executionArn: run.executionArn,
          mapRunArn: run.mapRunArn,
          stateMachineArn: execution.stateMachineArn,
          startDate: toSeconds(run.startMs),
          ...(run.stopMs === undefined ? {} : { stopDate: toSeconds(run.stopMs) }),
        })),
        ...(nextToken === undefined ? {} : { nextToken }),
      }
    },

    DescribeMapRun: async parameters => {
      const arn = checkArn(parameters.text('mapRunArn'), 'mapRun')
      const run = mapRuns.get(arn)
      if (run === undefined) throw resourceMissing(arn)
      return {
        mapRunArn: run.mapRunArn,
        executionArn: run.executionArn,
        status: run.status,
        startDate: toSeconds(run.startMs),
        ...(run.stopMs === undefined ? {} : { stopDate: toSeconds(run.stopMs) }),
        maxConcurrency: run.maxConcurrency,
        toleratedFailureCount: run.toleratedFailureCount,
        toleratedFailurePercentage: run.toleratedFailurePercentage,
        itemCounts: run.items,
        executionCounts: run.executions,
        redriveCount: run.redriveCount,
      }
    },
  }
}
