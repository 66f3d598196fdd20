import type { Tags } from '../machines/machines.ts'
import type { World } from '../world.ts'
import { readTags } from './machine-fields.ts'
import type { Operations } from './operation.ts'
import { resourceMissing } from './refusals.ts'
import { checkArn, type Parameters } from './request.ts'

/** Tags of state machines and activities. */
export function tagOperations({ machines, activities }: World): Operations {
  const tagged = (parameters: Parameters): { readonly tags: Tags; readonly save: (tags: Tags) => void } => {
    const arn = checkArn(parameters.text('resourceArn'), 'stateMachine', 'activity')
    const machine = machines.find(arn)
    if (machine !== undefined) return { tags: machine.tags, save: tags => void machines.mark(arn, { tags }) }
    const activity = activities.find(arn)
    if (activity !== undefined) return { tags: activity.tags, save: tags => activities.update(arn, tags) }
    throw resourceMissing(arn)
  }
  return {
    TagResource: async parameters => {
      const { tags, save } = tagged(parameters)
      save({ ...tags, ...readTags(parameters) })
      return {}
    },

    UntagResource: async parameters => {
      const { tags, save } = tagged(parameters)
      const removed = new Set(parameters.optionalList('tagKeys') ?? [])
      save(Object.fromEntries(Object.entries(tags).filter(([key]) => !removed.has(key))))
      return {}
    },

    ListTagsForResource: async parameters => ({
      tags: Object.entries(tagged(parameters).tags).map(([key, value]) => ({ key, value })),
    }),
  }
}
