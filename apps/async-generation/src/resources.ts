import { database, secret, workflow } from '@stepwright/app/bindings'

export const db = database()
export const generation = workflow('generation')
export const model = secret('model', {
  description: 'The id of the Bedrock model that generates; "local" writes texts without a model.',
  localValue: 'local',
})
