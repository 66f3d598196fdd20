import { bindFrom, reference, setting } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { taskCallback } from '@stepwright/progress/bindings'
import * as z from 'zod/mini'
import { generate } from '../generate.ts'
import { createGenerator } from '../generators/create-generator.ts'
import { generation, model } from '../resources.ts'
import { atLeastOne, jobPorts, maxWorkers } from './bindings.ts'

const own = `arn:\${AWS::Partition}:bedrock:\${AWS::Region}:\${AWS::AccountId}:`
const ownModels = [
  'inference-profile/*',
  'application-inference-profile/*',
  'provisioned-model/*',
  'imported-model/*',
].map(model => `${own}${model}`)
const text = z.optional(z.string())
const generator = bindFrom(
  {
    modelId: reference(model),
    script: setting('LOCAL_SCRIPT', text),
    maxTokens: setting('MAX_TOKENS', z.optional(atLeastOne)),
    effort: setting('EFFORT', text),
    guardrail: setting('GUARDRAIL', text),
  },
  createGenerator,
)

export const AIGenerationWorker = lambda(
  generate,
  {
    ...jobPorts,
    callback: taskCallback(generation),
    generator,
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
        resources: [`arn:\${AWS::Partition}:bedrock:*::foundation-model/*`, ...ownModels],
      },
      { actions: ['bedrock:ApplyGuardrail'], resources: [`${own}guardrail/*`] },
    ],
  },
)
