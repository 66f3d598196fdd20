import { ServiceError } from '@stepwright/local-server'
import type { World } from '../world.ts'
import { type Operations, toSeconds } from './operation.ts'
import { resourceMissing } from './refusals.ts'
import { checkArn, takePage, violation } from './request.ts'

function checkLimit(
  name: string,
  value: number | undefined,
  most = Number.POSITIVE_INFINITY,
): number | undefined {
  if (value === undefined || (value >= 0 && value <= most)) return value
  const bound = value < 0 ? 'greater than or equal to 0' : `less than or equal to ${most}`
  throw violation(
    `Value '${value}' at '${name}' failed to satisfy constraint: Member must have value ${bound}`,
  )
}

/** Reading and changing the runs of Distributed Maps. */
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
        ...(run.redriveMs === undefined ? {} : { redriveDate: toSeconds(run.redriveMs) }),
      }
    },

    UpdateMapRun: async parameters => {
      const arn = checkArn(parameters.text('mapRunArn'), 'mapRun')
      const integer = (name: string) => checkLimit(name, parameters.optionalInteger(name))
      const maxConcurrency = integer('maxConcurrency')
      const toleratedFailureCount = integer('toleratedFailureCount')
      const toleratedFailurePercentage = checkLimit(
        'toleratedFailurePercentage',
        parameters.optionalNumber('toleratedFailurePercentage'),
        100,
      )
      if (mapRuns.get(arn) === undefined) throw resourceMissing(arn)
      const isUpdated = mapRuns.update(arn, {
        ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
        ...(toleratedFailureCount === undefined ? {} : { toleratedFailureCount }),
        ...(toleratedFailurePercentage === undefined ? {} : { toleratedFailurePercentage }),
      })
      if (!isUpdated)
        throw new ServiceError('ValidationException', 'Only a Map Run that is running can be updated')
      return {}
    },
  }
}
