import type { Json } from '@stepwright/asl'
import { taskFailure } from '../executions/task-tokens.ts'
import type { World } from '../world.ts'
import { checkEncryption, encryption, readTags } from './machine-fields.ts'
import { type Operations, toSeconds } from './operation.ts'
import { checkArn, checkName, parseJsonText, readReason, takePage } from './request.ts'

/** Activities, and what workers and callbacks report. */
export function activityOperations({ activities, taskTokens, executions, pollMs }: World): Operations {
  /** A report is accepted when what follows from it is kept. */
  const accept = async (report: () => void): Promise<object> => {
    report()
    await new Promise(resolve => setImmediate(resolve))
    executions.flush()
    return {}
  }
  return {
    CreateActivity: async parameters => {
      checkEncryption(parameters)
      const activity = activities.create(checkName(parameters.text('name')), readTags(parameters))
      return { activityArn: activity.arn, creationDate: toSeconds(activity.createdMs) }
    },

    DescribeActivity: async parameters => {
      const { arn, name, createdMs } = activities.get(checkArn(parameters.text('activityArn'), 'activity'))
      return {
        activityArn: arn,
        name,
        creationDate: toSeconds(createdMs),
        encryptionConfiguration: encryption,
      }
    },

    ListActivities: async parameters => {
      const { items, nextToken } = takePage(activities.list(), parameters, ({ createdMs, name }) => [
        createdMs,
        name,
      ])
      return {
        activities: items.map(({ arn, name, createdMs }) => ({
          activityArn: arn,
          name,
          creationDate: toSeconds(createdMs),
        })),
        ...(nextToken === undefined ? {} : { nextToken }),
      }
    },

    DeleteActivity: async parameters => {
      activities.remove(checkArn(parameters.text('activityArn'), 'activity'))
      return {}
    },

    GetActivityTask: async (parameters, signal) => {
      const arn = checkArn(parameters.text('activityArn'), 'activity')
      const patience = AbortSignal.any([signal, AbortSignal.timeout(pollMs)])
      const task = await activities.poll(arn, parameters.optionalText('workerName'), patience)
      return task === undefined ? {} : { taskToken: task.taskToken, input: task.input }
    },

    SendTaskSuccess: async parameters => {
      const output = parseJsonText(parameters.text('output'), 'InvalidOutput', 'Output') as Json
      const task = taskTokens.expect(parameters.text('taskToken'))
      return accept(() => task.succeed(output))
    },

    SendTaskFailure: async parameters => {
      const { error, cause } = readReason(parameters)
      const failure = taskFailure(error, cause)
      const task = taskTokens.expect(parameters.text('taskToken'))
      return accept(() => task.fail(failure))
    },

    SendTaskHeartbeat: async parameters => {
      taskTokens.expect(parameters.text('taskToken')).beat()
      return {}
    },
  }
}
