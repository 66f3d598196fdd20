import { isFinal } from '@stepwright/progress/client'
import { useRef, useState } from 'preact/hooks'
import type { Api, Process } from './api.ts'
import { type ChartData, chartOf, emptyChart, hasActions, planOf, withEvent } from './chart-data.ts'
import type { Language } from './texts.ts'

export interface Generation {
  readonly chart: ChartData
  /** The one that was started or shown last. */
  readonly process: Process | undefined
  readonly problem: string | undefined
  start(goal: string): Promise<void>
  startTasks(): Promise<void>
  cancel(): Promise<void>
  retry(processId: string): Promise<void>
  show(processId: string): Promise<void>
}

/** Runs generations one after the other: sub-goals, then actions, each filling the chart as it goes. */
export function useGeneration(api: Api, language: Language, onChange: () => void): Generation {
  const [chart, setChart] = useState<ChartData>(() => emptyChart(''))
  const [process, setProcess] = useState<Process>()
  const [problem, setProblem] = useState<string>()
  const following = useRef<AbortController>(undefined)

  /** Follows a process to its end, and what comes after it. */
  async function follow(started: Process, from: ChartData): Promise<void> {
    following.current?.abort()
    const stopping = new AbortController()
    following.current = stopping
    let known = from
    let last = started
    setProcess(started)
    onChange()
    for await (const event of api.follow(started.processId, stopping.signal)) {
      known = withEvent(known, started.type, event)
      last =
        event.event === 'status'
          ? (event.data as unknown as Process)
          : { ...last, progress: Number(event.data['progress'] ?? last.progress) }
      setChart(known)
      setProcess(last)
    }
    if (stopping.signal.aborted) return
    onChange()
    if (last.status === 'COMPLETED' && last.type === 'SUBGOAL_GENERATION') {
      await follow(await api.start('ACTION_GENERATION', last.result), known)
    }
  }

  /** What the API refuses, the page says. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }

  return {
    chart,
    process,
    problem,
    start: goal =>
      attempt(async () => {
        const fresh = emptyChart(goal)
        setChart(fresh)
        await follow(await api.start('SUBGOAL_GENERATION', { goal, language }), fresh)
      }),
    startTasks: () =>
      attempt(async () => {
        if (!hasActions(chart)) return
        await follow(await api.start('TASK_GENERATION', planOf(chart, language)), chart)
      }),
    cancel: () =>
      attempt(async () => {
        if (process === undefined || isFinal(process)) return
        await api.cancel(process.processId)
      }),
    retry: processId => attempt(async () => follow(await api.retry(processId), chart)),
    show: processId =>
      attempt(async () => {
        following.current?.abort()
        const shown = await api.status(processId)
        setProcess(shown)
        setChart(chartOf(shown.result))
      }),
  }
}
