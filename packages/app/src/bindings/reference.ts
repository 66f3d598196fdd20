import type { Environment } from '@stepwright/task/settings'
import type { EnvironmentValue } from '../function.ts'
import { type Binding, binding } from './binding.ts'
import type { AppResource, Rights } from './resource.ts'
import { readSecret } from './secrets.ts'
import { readVariable } from './variables.ts'

/** How each kind of resource appears in an environment: the end of its variable's name, and the reference. */
const kinds: {
  readonly [Kind in keyof Rights]: {
    readonly suffix: string
    readonly to: (name: string, may: readonly string[]) => object
  }
} = {
  bucket: { suffix: '_BUCKET', to: (name, may) => ({ bucket: name, may }) },
  table: { suffix: '_TABLE', to: (name, may) => ({ table: name, may }) },
  queue: { suffix: '_QUEUE_URL', to: (name, may) => ({ queue: name, may }) },
  deadLetterQueue: { suffix: '_DEAD_LETTER_QUEUE_URL', to: (name, may) => ({ deadLettersOf: name, may }) },
  workflow: { suffix: '_WORKFLOW_ARN', to: (name, may) => ({ workflow: name, may }) },
  function: { suffix: '_FUNCTION_ARN', to: (name, may) => ({ function: name, may }) },
  configurationSet: { suffix: '_CONFIGURATION_SET', to: (name, may) => ({ configurationSet: name, may }) },
  secret: { suffix: '_SECRET', to: name => ({ secret: name }) },
  database: { suffix: '_URL', to: () => ({ database: 'url' }) },
  api: { suffix: '_URL', to: () => ({ api: 'url' }) },
}

const secretKinds: readonly (keyof Rights)[] = ['secret', 'database']

/**
 * What is to be known of a resource, with the rights to use it: the name of a bucket, table or configuration set, the
 * URL of a queue, the database or the API, the ARN of a workflow or function, the value of a secret.
 */
export function reference<Kind extends keyof Rights>(
  resource: AppResource<Kind>,
  ...may: readonly Rights[Kind][]
): Binding<string> {
  const { suffix, to } = kinds[resource.kind]
  const variable = `${toConstantCase(resource.name)}${suffix}`
  const read = secretKinds.includes(resource.kind) ? readSecret : readVariable
  return binding({
    needs: {
      variables: { [variable]: to(resource.name, may) as EnvironmentValue },
      resources: [{ kind: resource.kind, name: resource.name }],
    },
    open: (environment: Environment) => read(environment, variable),
  })
}

/** `rawUploads` → `RAW_UPLOADS`. */
function toConstantCase(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, letter => `_${letter}`)
    .replaceAll(/\W/g, '_')
    .toUpperCase()
}
