import { bindFrom, reference, setting } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { taskCallback } from '@stepwright/progress/bindings'
import * as z from 'zod/mini'
import { generate } from '../generate.ts'
import { createGenerator } from '../generators/create-generator.ts'
import { generation, model } from '../resources.ts'
import { atLeastOne, jobPorts, maxWorkers } from './bindings.ts'

const modelId = reference(model)
/** How the generator without a model behaves, in JSON. */
const script = setting('LOCAL_SCRIPT', z.optional(z.string()))

export const AIGenerationWorker = lambda(
  generate,
  {
    ...jobPorts,
    callback: taskCallback(generation),
    generator: bindFrom({ modelId, script }, createGenerator),
    parallelCalls: setting('PARALLEL_CALLS', atLeastOne, { value: 4 }),
  },
  {
    memoryMb: 1024,
    timeoutSeconds: 300,
    concurrency: maxWorkers,
    // Which model it is, a secret says; a profile spreads its calls over regions.
    permissions: [
      {
        actions: ['bedrock:InvokeModel'],
        resources: [
          `arn:\${AWS::Partition}:bedrock:*::foundation-model/*`,
          `arn:\${AWS::Partition}:bedrock:\${AWS::Region}:\${AWS::AccountId}:inference-profile/*`,
        ],
      },
    ],
  },
)
