import { readFile } from 'node:fs/promises'
import { bind, errorMatrix, runWorkflow } from '@stepwright/asl-engine/testing'
import { TemporaryError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { OutOfStock, reserveStock } from './reserve-stock.ts'

const definition = JSON.parse(await readFile(new URL('order.asl.json', import.meta.url), 'utf8'))

const input = { orderId: 'o1', sku: 'mug', count: 2 }

function tasksWith(stock: number) {
  const taken = new Map<string, number>()
  const take = async (orderId: string, _sku: string, count: number) => {
    taken.set(orderId, count)
    return [...taken.values()].reduce((left, each) => left - each, stock)
  }
  return { Reserve: bind(reserveStock, { warehouse: { take } }) }
}

describe('the order workflow', () => {
  it('reserves, and packs a day later', async () => {
    const run = await runWorkflow(definition, { tasks: tasksWith(5), input })
    expect(run).toMatchObject({ status: 'SUCCEEDED', path: ['Reserve', 'Pack'], elapsedSeconds: 86_400 })
    expect(run.output).toEqual({ ...input, stock: { left: 3 } })
  })

  it('refuses an order that is too large, without trying twice', async () => {
    const run = await runWorkflow(definition, { tasks: tasksWith(1), input })
    expect(run).toMatchObject({ status: 'FAILED', error: 'OutOfStock', path: ['Reserve', 'Refuse'] })
    expect(run.attempts('Reserve')).toBe(1)
  })

  it('gets over a warehouse that does not answer twice', async () => {
    const run = await runWorkflow(definition, {
      tasks: tasksWith(5),
      input,
      inject: [{ state: 'Reserve', attempts: [1, 2], error: TemporaryError }],
    })
    expect(run.status).toBe('SUCCEEDED')
    expect(run.waitsSeconds('Reserve')).toEqual([2, 4])
  })

  it('does with every error what its class says', async () => {
    const matrix = await errorMatrix(definition, () => tasksWith(5), {
      inputs: [input],
      caughtBy: [{ error: OutOfStock, by: 'Refuse' }],
      lostResponses: {},
    })
    expect(matrix.cells).toHaveLength(3)
  })
})
