import type { Json } from '@stepwright/asl'
import { taskFailure } from '../executions/task-tokens.ts'
import { type Operations, toSeconds, type World } from '../world.ts'
import { readTags } from './machine-operations.ts'
import { checkArn, checkName, parseJsonText, takePage } from './request.ts'

/** Activities, and what workers and callbacks report. */
export function activityOperations({ activities, taskTokens, pollMs }: World): Operations {
  return {
    CreateActivity: async parameters => {
      const activity = activities.create(checkName(parameters.text('name')), readTags(parameters))
      return { activityArn: activity.arn, creationDate: toSeconds(activity.createdMs) }
    },

    DescribeActivity: async parameters => {
      const { arn, name, createdMs } = activities.get(checkArn(parameters.text('activityArn'), 'activity'))
      return { activityArn: arn, name, creationDate: toSeconds(createdMs) }
    },

    ListActivities: async parameters => {
      const { items, nextToken } = takePage(activities.list(), parameters)
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
      taskTokens.expect(parameters.text('taskToken')).succeed(output)
      return {}
    },

    SendTaskFailure: async parameters => {
      const failure = taskFailure(parameters.optionalText('error'), parameters.optionalText('cause'))
      taskTokens.expect(parameters.text('taskToken')).fail(failure)
      return {}
    },

    SendTaskHeartbeat: async parameters => {
      taskTokens.expect(parameters.text('taskToken')).beat()
      return {}
    },
  }
}
