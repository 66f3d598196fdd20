/// <reference path="./dynalite.d.ts" />
import dynaliteDb, { type Store } from 'dynalite/db/index.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { repairStore } from './repair-store.ts'

let store: Store
beforeEach(async () => {
  store = dynaliteDb.create()
  await store.db.open()
})

const table = {
  TableName: 'things',
  TableStatus: 'ACTIVE',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: ['id', 'state'].map(AttributeName => ({ AttributeName, AttributeType: 'S' })),
}
const index = {
  IndexName: 'by-state',
  IndexStatus: 'ACTIVE',
  KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'ALL' },
}

async function valuesBelow(prefix: string): Promise<unknown[]> {
  const values: unknown[] = []
  for await (const value of store.db.values({ gte: prefix, lt: `${prefix}\uffff` })) values.push(value)
  return values
}

describe('repairStore', () => {
  it('makes indexes agree with their table', async () => {
    const item = { id: { S: 'a' }, state: { S: 'new' } }
    await store.db.put('table~things', { ...table, GlobalSecondaryIndexes: [index] })
    await store.db.put('item-things~a', item)
    await store.db.put('index-global~things~by-state~phantom', { id: { S: 'b' }, state: { S: 'gone' } })
    await store.db.put('index-global~things2~by-state~other', 'of another table')
    await repairStore(store)
    expect(await valuesBelow('index-global~things~')).toEqual([item])
    expect(await valuesBelow('index-global~things2~')).toEqual(['of another table'])
  })

  it('ends what was on its way', async () => {
    const creating = {
      TableStatus: 'CREATING',
      GlobalSecondaryIndexes: [{ ...index, IndexStatus: 'CREATING' }],
    }
    await store.db.put('table~things', { ...table, ...creating })
    await store.db.put('table~old', { ...table, TableName: 'old', TableStatus: 'DELETING' })
    for (const kind of ['item-old~a', 'tag-old~a', 'index-global~old~by-state~a'])
      await store.db.put(kind, {})
    await repairStore(store)
    expect(await valuesBelow('table~')).toMatchObject([
      { TableName: 'things', TableStatus: 'ACTIVE', GlobalSecondaryIndexes: [{ IndexStatus: 'ACTIVE' }] },
    ])
    expect(await valuesBelow('')).toHaveLength(1)
  })
})
