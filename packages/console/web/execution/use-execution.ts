import type { StateMachine } from '@stepwright/asl'
import { createVisitReader, type Visit, type VisitReader } from '@stepwright/asl-graph'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import {
  type CallDescription,
  type ExecutionCost,
  type ExecutionDescription,
  isClosing,
  type LightEvent,
  type MapRunDescription,
} from '../../src/protocol.ts'
import { get, listen } from '../api.ts'

export interface LoadedExecution {
  readonly description: ExecutionDescription
  readonly definition: StateMachine
  /** Grows while the execution runs: `version` says when. */
  readonly events: readonly LightEvent[]
  readonly visits: readonly Visit[]
  readonly reader: VisitReader
  readonly mapRuns: readonly MapRunDescription[]
  readonly cost: ExecutionCost
  readonly version: number
  /** Calls of functions heard since the page was opened. */
  readonly calls: readonly CallDescription[]
}

interface Growing {
  readonly events: LightEvent[]
  readonly reader: VisitReader
  readonly calls: CallDescription[]
}

/** An execution with its history, kept up to date. */
export function useExecution(arn: string): {
  readonly execution: LoadedExecution | undefined
  readonly error: string | undefined
} {
  const growing = useRef<Growing>({ events: [], reader: createVisitReader(), calls: [] })
  const [description, setDescription] = useState<ExecutionDescription>()
  /** What is not in the history, and changes with it. */
  const [beside, setBeside] = useState<Pick<LoadedExecution, 'mapRuns' | 'cost'>>()
  const [version, setVersion] = useState(0)
  const [error, setError] = useState<string>()

  useEffect(() => {
    let end: (() => void) | undefined
    let isCurrent = true
    growing.current = { events: [], reader: createVisitReader(), calls: [] }
    setDescription(undefined)
    setError(undefined)
    let [asked, answered] = [0, 0]
    let status = ''
    const describe = async (): Promise<void> => {
      asked += 1
      const turn = asked
      const described = await get<ExecutionDescription>('execution', { arn })
      if (!isCurrent || turn < answered) return
      answered = turn
      status = described.status
      setDescription(described)
      setBeside(described)
    }
    const add = (fresh: readonly LightEvent[]): void => {
      const { events, reader } = growing.current
      const unseen = fresh.filter(({ id }) => id > (events.at(-1)?.id ?? 0))
      events.push(...unseen)
      reader.add(unseen)
      setVersion(value => value + 1)
      // Its status may have changed before the page listened.
      if (status === 'RUNNING' && isClosing(unseen.at(-1)?.type)) void describe().catch(() => undefined)
    }
    const open = async (): Promise<void> => {
      const [{ events }] = await Promise.all([get<{ events: LightEvent[] }>('history', { arn }), describe()])
      if (!isCurrent) return
      add(events)
      const query = () => ({ arn, after: growing.current.events.length })
      end = listen(query, message => {
        if (message.topic === 'history' && message.arn === arn) {
          add(message.events)
          setBeside(message)
        }
        const isChanged = message.topic === 'executions' && message.arn === arn
        if (isChanged || message.topic === 'missed') void describe().catch(() => undefined)
        if (message.topic === 'call' && message.call.executionArn === arn) {
          growing.current.calls.push(message.call)
          setVersion(value => value + 1)
        }
      })
    }
    open().catch((problem: Error) => isCurrent && setError(problem.message))
    return () => {
      isCurrent = false
      end?.()
    }
  }, [arn])

  const text = description?.definition ?? '{}'
  const definition = useMemo(() => JSON.parse(text) as StateMachine, [text])
  if (description === undefined || beside === undefined) return { execution: undefined, error }
  const { events, reader, calls } = growing.current
  return {
    execution: {
      description,
      definition,
      events,
      visits: reader.visits,
      reader,
      mapRuns: beside.mapRuns,
      cost: beside.cost,
      version,
      calls,
    },
    error,
  }
}
