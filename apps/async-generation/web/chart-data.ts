import type { StreamEvent } from '@stepwright/progress/client'
import type { Process } from './api.ts'

/** What is known of a goal so far. */
export interface ChartData {
  readonly goal: string
  readonly subgoals: readonly (string | undefined)[]
  /** By sub-goal. */
  readonly actions: readonly (readonly string[] | undefined)[]
  /** By action, counted through all sub-goals. */
  readonly tasks: readonly (readonly string[] | undefined)[]
}

export const breadth = 8

export function emptyChart(goal: string): ChartData {
  return {
    goal,
    subgoals: Array(breadth).fill(undefined),
    actions: Array(breadth).fill(undefined),
    tasks: Array(breadth * breadth).fill(undefined),
  }
}

/** The chart with what an event brings. */
export function withEvent(chart: ChartData, type: Process['type'], { event, data }: StreamEvent): ChartData {
  if (event === 'status') {
    const { status, result } = data as unknown as Process
    return status === 'COMPLETED' ? chartOf(result) : chart
  }
  const part = Number(data['part'])
  const value = data['value'] as readonly string[]
  if (type === 'SUBGOAL_GENERATION') return { ...chart, subgoals: value }
  if (type === 'ACTION_GENERATION') return { ...chart, actions: chart.actions.with(part, value) }
  return { ...chart, tasks: chart.tasks.with(part, value) }
}

interface Result {
  readonly goal: string
  readonly subgoals?: readonly string[]
  readonly plan?: readonly {
    readonly subgoal: string
    readonly actions: readonly (string | { readonly action: string; readonly tasks: readonly string[] })[]
  }[]
}

/** The chart of the result of a process, or of what it was started with. */
export function chartOf(result: unknown): ChartData {
  const { goal, subgoals, plan } = result as Result
  const chart = emptyChart(goal)
  if (plan === undefined) return { ...chart, subgoals: subgoals ?? chart.subgoals }
  return {
    goal,
    subgoals: plan.map(({ subgoal }) => subgoal),
    actions: plan.map(({ actions }) => actions.map(one => (typeof one === 'string' ? one : one.action))),
    tasks: plan.flatMap(({ actions }) =>
      actions.map(one => (typeof one === 'string' ? undefined : one.tasks)),
    ),
  }
}

/** What the next generation is asked for, of the result of the one before. */
export function planOf({ goal, subgoals, actions }: ChartData, language: string): object {
  return {
    goal,
    language,
    plan: subgoals.map((subgoal, at) => ({ subgoal, actions: actions[at] })),
  }
}

export function hasActions({ actions }: ChartData): boolean {
  return actions.every(one => one !== undefined)
}

export function hasTasks({ tasks }: ChartData): boolean {
  return tasks.every(one => one !== undefined)
}
