import { createTaskTokens } from '@stepwright/asl-engine'
import type { BoundTask } from '@stepwright/asl-engine/testing'
import { createResultOfParts, type Job } from '@stepwright/progress'
import { createMemoryJobStore } from '@stepwright/progress/memory'
import type { AnyTask } from '@stepwright/task'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { generate } from '../generate.ts'
import { type GenerationType, toResult } from '../generation.ts'
import type { GenerationRequest, Generator } from '../generator.ts'
import { createLocalGenerator, type LocalScript } from '../generators/local.ts'
import { updateProcessingState } from '../update-processing-state.ts'

function ignore(): void {}
const quiet = {
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  metrics: { addMetric: ignore, addMetadata: ignore, publishStoredMetrics: ignore },
}

export const goal = '英語を話す'
export const subgoals: readonly string[] = Array.from({ length: 8 }, (_, at) => `サブ目標${at}`)
export const plan: readonly { readonly subgoal: string; readonly actions: readonly string[] }[] =
  subgoals.map(subgoal => ({
    subgoal,
    actions: Array.from({ length: 8 }, (_, at) => `${subgoal}の行動${at}`),
  }))

export const paramsOf: Readonly<Record<GenerationType, object>> = {
  SUBGOAL_GENERATION: { goal },
  ACTION_GENERATION: { goal, subgoals },
  TASK_GENERATION: { goal, plan },
}

export interface World {
  readonly jobs: ReturnType<typeof createMemoryJobStore>
  /** What the model was asked for. */
  readonly asked: readonly GenerationRequest[]
  /** The functions of the state machine, as their Lambda handlers. */
  readonly tasks: Readonly<Record<'UpdateProcessingState' | 'AIGenerationWorker', BoundTask>>
  readonly engine: { readonly taskTokens: ReturnType<typeof createTaskTokens> }
  addJob(type: GenerationType, more?: Partial<Job>): Promise<string>
}

/** The app's part of the state machine, in memory. */
export function createWorld(
  script: LocalScript = {},
  /** Told of each request before it is answered. */
  onAsk: (asked: readonly GenerationRequest[], world: World) => unknown = ignore,
  parallelCalls = 1,
): World {
  const jobs = createMemoryJobStore()
  const taskTokens = createTaskTokens()
  const asked: GenerationRequest[] = []
  const local = createLocalGenerator({ script })
  const generator: Generator = {
    async generate(request, options) {
      asked.push(request)
      await onAsk(asked, world)
      return local.generate(request, options)
    },
  }
  const callback = {
    heartbeat: async (token: string) => taskTokens.get(token) !== undefined,
    async succeed(token: string, output: unknown) {
      const waiting = taskTokens.get(token)
      waiting?.succeed(output as never)
      return waiting !== undefined
    },
  }
  const ports = { jobs, callback, generator, parallelCalls, resultOf: createResultOfParts(jobs, toResult) }
  let count = 0
  const world: World = {
    jobs,
    asked,
    engine: { taskTokens },
    tasks: {
      UpdateProcessingState: bindHandler(updateProcessingState, ports),
      AIGenerationWorker: bindHandler(generate, ports),
    },
    async addJob(type, more = {}) {
      count += 1
      const id = `job-${count}`
      const params = paramsOf[type]
      await jobs.insert({ id, userId: 'ann', type, targetId: null, params, retryCount: 0, ...more })
      return more.id ?? id
    },
  }
  return world
}

function bindHandler(task: AnyTask, ports: object): BoundTask {
  const handler = toLambdaHandler(task, { ports: ports as never, ...quiet })
  return {
    bound: true,
    name: task.name,
    errors: task.errors as BoundTask['errors'],
    run: input => handler(input),
  }
}
