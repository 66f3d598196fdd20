import type { HistoryEvent, HistoryEventType } from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import { createProgressReader } from './progress.ts'

/** Each event follows the one before, unless it says which. */
function statesAfter(...events: [type: HistoryEventType, details?: Partial<HistoryEvent>][]) {
  const reader = createProgressReader()
  reader.add(
    events.map(([type, details = {}], index) => ({
      timestamp: new Date(0),
      id: index + 1,
      previousEventId: index,
      type,
      ...details,
    })),
  )
  return reader.states()
}

function entered(name: string) {
  return { stateEnteredEventDetails: { name } }
}
function exited(name: string) {
  return { stateExitedEventDetails: { name } }
}

describe('createProgressReader', () => {
  it('follows states one after the other', () => {
    expect(
      statesAfter(
        ['ExecutionStarted'],
        ['PassStateEntered', entered('First')],
        ['PassStateExited', exited('First')],
        ['TaskStateEntered', entered('Second')],
      ),
    ).toEqual([
      { name: 'First', status: 'succeeded', retries: 0 },
      { name: 'Second', status: 'running', retries: 0 },
    ])
  })

  it('counts retries, and tells a caught failure from a success', () => {
    expect(
      statesAfter(
        ['TaskStateEntered', entered('Import')],
        ['LambdaFunctionScheduled'],
        ['LambdaFunctionFailed'],
        ['LambdaFunctionScheduled'],
        ['LambdaFunctionFailed'],
        ['TaskStateExited', exited('Import')],
        ['FailStateEntered', entered('Failed')],
        ['ExecutionFailed'],
      ),
    ).toEqual([
      { name: 'Import', status: 'caught', retries: 1 },
      { name: 'Failed', status: 'failed', retries: 0 },
    ])
  })

  it('counts the items of a Map, and leaves the states inside to it', () => {
    expect(
      statesAfter(
        ['MapStateEntered', entered('Each')],
        ['MapStateStarted', { mapStateStartedEventDetails: { length: 3 } }],
        ['MapIterationStarted'],
        ['TaskStateEntered', entered('One')],
        ['LambdaFunctionScheduled'],
        ['TaskStateExited', exited('One')],
        ['MapIterationSucceeded'],
        ['MapIterationFailed', { previousEventId: 2 }],
      ),
    ).toEqual([{ name: 'Each', status: 'running', retries: 0, items: { done: 1, failed: 1, total: 3 } }])
  })

  it('names the run of a Distributed Map', () => {
    expect(
      statesAfter(
        ['MapStateEntered', entered('Each')],
        ['MapStateStarted', { mapStateStartedEventDetails: { length: 0 } }],
        ['MapRunStarted', { mapRunStartedEventDetails: { mapRunArn: 'arn:run' } }],
      ),
    ).toEqual([{ name: 'Each', status: 'running', retries: 0, mapRunArn: 'arn:run' }])
  })
})
