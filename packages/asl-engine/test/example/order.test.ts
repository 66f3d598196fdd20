import { readFile } from 'node:fs/promises'
import { bind, errorMatrix, runWorkflow } from '@stepwright/asl-engine/testing'
import { TemporaryError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { OutOfStock, reserveStock } from './reserve-stock.ts'

const definition = JSON.parse(await readFile(new URL('order.asl.json', import.meta.url), 'utf8'))

function tasksWith(stock: number) {
  return {
    Reserve: bind(reserveStock, { warehouse: { take: async (_sku, count) => stock - count } }),
  }
}

describe('the order workflow', () => {
  it('reserves, and packs a day later', async () => {
    const run = await runWorkflow(definition, { tasks: tasksWith(5), input: { sku: 'mug', count: 2 } })
    expect(run).toMatchObject({ status: 'SUCCEEDED', path: ['Reserve', 'Pack'], elapsedSeconds: 86_400 })
    expect(run.output).toEqual({ sku: 'mug', count: 2, stock: { left: 3 } })
  })

  it('refuses an order that is too large, without trying twice', async () => {
    const run = await runWorkflow(definition, { tasks: tasksWith(1), input: { sku: 'mug', count: 2 } })
    expect(run).toMatchObject({ status: 'FAILED', error: 'OutOfStock', path: ['Reserve', 'Refuse'] })
    expect(run.attempts('Reserve')).toBe(1)
  })

  it('gets over a warehouse that does not answer twice', async () => {
    const run = await runWorkflow(definition, {
      tasks: tasksWith(5),
      input: { sku: 'mug', count: 2 },
      inject: [{ state: 'Reserve', attempts: [1, 2], error: TemporaryError }],
    })
    expect(run.status).toBe('SUCCEEDED')
    expect(run.waitsSeconds('Reserve')).toEqual([2, 4])
  })

  it('does with every error what its class says', async () => {
    const matrix = await errorMatrix(definition, tasksWith(5), {
      inputs: [{ sku: 'mug', count: 2 }],
      caughtBy: [{ error: OutOfStock, by: 'Refuse' }],
    })
    expect(matrix.cells).toHaveLength(2)
  })
})
