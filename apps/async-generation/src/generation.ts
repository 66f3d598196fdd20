import { createProgressPlan, type Job } from '@stepwright/progress'
import * as z from 'zod/mini'
import type { GenerationRequest } from './generator.ts'

/** How a goal is broken down: 8 sub-goals, 8 actions for each, and tasks for each of these. */
const breadth = 8

export const generationTypes = ['SUBGOAL_GENERATION', 'ACTION_GENERATION', 'TASK_GENERATION'] as const
export type GenerationType = (typeof generationTypes)[number]

const text = z
  .string('must be a text')
  .check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(500, 'must have at most 500 characters'),
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be text without control characters'),
  )
const language = z._default(z.enum(['ja', 'en'], 'must be ja or en'), 'ja')
const eightTexts = z
  .array(text, `must be a list of ${breadth} texts`)
  .check(z.length(breadth, `must have ${breadth} texts`))

export const subgoalParams = z.object({ goal: text, language })

/** The result of SUBGOAL_GENERATION fits. */
export const actionParams = z.object({ goal: text, language, subgoals: eightTexts })

/** The result of ACTION_GENERATION fits. */
export const taskParams = z.object({
  goal: text,
  language,
  plan: z
    .array(z.object({ subgoal: text, actions: eightTexts }), 'must be a list of sub-goals with their actions')
    .check(z.length(breadth, `must have ${breadth} sub-goals`)),
})

type TaskParams = z.infer<typeof taskParams>

/** One type of generation: what it is asked for, in parts, and what is made of them. */
export interface Generation {
  /** What each part is asked of the model with. */
  requests(params: unknown): readonly GenerationRequest[]
  /** The progress when so many parts are kept; only the end of the job is 100. */
  progress(parts: number): number
  result(params: unknown, parts: readonly (readonly string[])[]): unknown
}

const subgoalPlan = createProgressPlan({ generate: 50, save: 50 })
const actionPlan = createProgressPlan({ subgoal: { weight: 12.5, times: 8 } })
const taskPlan = createProgressPlan({ action: { weight: 1.5625, times: 64 } })

const generations: Readonly<Record<GenerationType, Generation>> = {
  SUBGOAL_GENERATION: {
    requests: params => {
      const { goal, language } = subgoalParams.parse(params)
      return [{ kind: 'subgoals', goal, language }]
    },
    progress: parts => subgoalPlan.percent({ generate: parts }),
    result: (params, [subgoals]) => ({ ...subgoalParams.parse(params), subgoals }),
  },
  ACTION_GENERATION: {
    requests: params => {
      const { goal, language, subgoals } = actionParams.parse(params)
      return subgoals.map(subgoal => ({ kind: 'actions', goal, language, subgoal }))
    },
    progress: parts => actionPlan.percent({ subgoal: parts }),
    result: (params, parts) => {
      const { goal, language, subgoals } = actionParams.parse(params)
      return { goal, language, plan: subgoals.map((subgoal, index) => ({ subgoal, actions: parts[index] })) }
    },
  },
  TASK_GENERATION: {
    requests: params => taskRequests(taskParams.parse(params)),
    progress: parts => taskPlan.percent({ action: parts }),
    result: (params, parts) => {
      const { goal, language, plan } = taskParams.parse(params)
      const withTasks = plan.map(({ subgoal, actions }, at) => ({
        subgoal,
        actions: actions.map((action, index) => ({ action, tasks: parts[at * breadth + index] })),
      }))
      return { goal, language, plan: withTasks }
    },
  },
}

function taskRequests({ goal, language, plan }: TaskParams): readonly GenerationRequest[] {
  return plan.flatMap(({ subgoal, actions }) =>
    actions.map((action): GenerationRequest => ({ kind: 'tasks', goal, language, subgoal, action })),
  )
}

/** Jobs of any other type were never started by this app. */
export function generationOf(type: string): Generation {
  return generations[type as GenerationType]
}

/** What a list shows of a job. */
export function toSummary({ params }: Pick<Job, 'params'>): { readonly goal: string } {
  return { goal: subgoalParams.parse(params).goal }
}

/** The result of a job, made of its parts. */
export function toResult({ type, params }: Job, parts: readonly unknown[]): unknown {
  return generationOf(type).result(params, parts as readonly (readonly string[])[])
}
