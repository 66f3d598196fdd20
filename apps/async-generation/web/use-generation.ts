import { isFinal } from '@stepwright/progress/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Api, GenerationType, ListedProcess, Process } from './api.ts'
import { type ChartData, chartOf, emptyChart, hasActions, planOf, withEvent } from './chart-data.ts'
import type { Language } from './texts.ts'

export interface Generation {
  readonly chart: ChartData
  /** The one that was started or shown last. */
  readonly process: Process | undefined
  /** What the last action failed with. */
  readonly problem: unknown
  start(goal: string): Promise<void>
  startTasks(): Promise<void>
  cancel(processId: string): Promise<void>
  retry(processId: string): Promise<void>
  /** Shows a process in a chart of its own, and follows it if it has not ended. */
  show(processId: string): Promise<void>
  /** Begins what comes after a process that is done. */
  proceed(processId: string): Promise<void>
}

/** What comes after each type of process. */
export const nextType: Readonly<Partial<Record<GenerationType, GenerationType>>> = {
  SUBGOAL_GENERATION: 'ACTION_GENERATION',
  ACTION_GENERATION: 'TASK_GENERATION',
}

/** Runs generations one after the other: sub-goals, then actions, each filling the chart as it goes. */
export function useGeneration(
  api: Api,
  language: Language,
  open: ListedProcess | undefined,
  onChange: () => void,
): Generation {
  const [chart, setChart] = useState<ChartData>(() => emptyChart(''))
  const [process, setProcess] = useState<Process>()
  const [problem, setProblem] = useState<unknown>()
  const following = useRef<AbortController>(undefined)
  const keys = useRef(new Map<string, string>())

  /** One key for one action until it is answered: a second click, or a try after a lost answer, pays nothing twice. */
  async function startOnce(type: GenerationType, params: unknown): Promise<Process> {
    const action = JSON.stringify([type, params])
    const key = keys.current.get(action) ?? crypto.randomUUID()
    keys.current.set(action, key)
    const started = await api.start(type, params, key)
    keys.current.delete(action)
    return started
  }

  /** Follows a process to its end, and gives it as it is then; undefined if another is shown instead. */
  async function follow(started: Process, from: ChartData): Promise<Process | undefined> {
    following.current?.abort()
    const stopping = new AbortController()
    following.current = stopping
    let known = from
    let last = started
    setChart(known)
    setProcess(started)
    onChange()
    for await (const event of api.follow(started.processId, stopping.signal)) {
      if (stopping.signal.aborted) return undefined
      known = withEvent(known, started.type, event)
      last =
        event.event === 'status'
          ? (event.data as unknown as Process)
          : { ...last, progress: Number(event.data['progress'] ?? last.progress) }
      setChart(known)
      setProcess(last)
    }
    if (stopping.signal.aborted) return undefined
    onChange()
    return last
  }

  async function show(processId: string): Promise<void> {
    const shown = await api.status(processId)
    if (shown.status === 'COMPLETED') {
      following.current?.abort()
      setProcess(shown)
      setChart(chartOf(shown.result))
    } else await follow(shown, chartOf(shown.params))
  }

  /** What the API refuses, the page says. */
  async function attempt(work: () => Promise<unknown>): Promise<void> {
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(error)
    }
  }

  // After a reload, and in every other tab: what runs is shown.
  useEffect(() => {
    if (open !== undefined && process === undefined) void attempt(() => show(open.processId))
  }, [open?.processId])
  useEffect(() => () => following.current?.abort(), [api])

  return {
    chart,
    process,
    problem,
    start: goal =>
      attempt(async () => {
        const subgoals = await follow(
          await startOnce('SUBGOAL_GENERATION', { goal, language }),
          emptyChart(goal),
        )
        if (subgoals?.status !== 'COMPLETED') return
        await follow(await startOnce('ACTION_GENERATION', subgoals.result), chartOf(subgoals.result))
      }),
    startTasks: () =>
      attempt(async () => {
        if (!hasActions(chart)) return
        await follow(await startOnce('TASK_GENERATION', planOf(chart, language)), chart)
      }),
    cancel: processId =>
      attempt(async () => {
        await api.cancel(processId)
        onChange()
      }),
    retry: processId => attempt(async () => show((await api.retry(processId)).processId)),
    show: processId => attempt(() => show(processId)),
    proceed: processId =>
      attempt(async () => {
        const { type, result } = await api.status(processId)
        const next = nextType[type]
        if (next !== undefined) await follow(await startOnce(next, result), chartOf(result))
      }),
  }
}

export function isOpen(process: { readonly status: string }): boolean {
  return !isFinal(process)
}
