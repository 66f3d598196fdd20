import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { createInterrupted } from './interrupted.ts'

it('ends in order at the first signal, whoever repeats it, and at once when somebody insists', async () => {
  const signals = new EventEmitter()
  let nowMs = 0
  let exits = 0
  const interrupted = createInterrupted({
    signals,
    now: () => nowMs,
    exit: () => {
      exits += 1
    },
  })()
  signals.emit('SIGINT')
  await interrupted
  nowMs = 30
  signals.emit('SIGINT') // as npm hands it on
  expect(exits).toBe(0)
  nowMs = 2000
  signals.emit('SIGINT')
  expect(exits).toBe(1)
})
