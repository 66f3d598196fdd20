import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import { describe, expect, it } from 'vitest'
import { toTableInput } from './catalog-table.ts'
import { createTableIn, updateTableIn } from './local/catalog.ts'

const dataset = { domain: 'shop', table_name: 'orders' }
const { signal } = new AbortController()

function call(columns: Parameters<typeof toTableInput>[1]) {
  return { DatabaseName: 'lake', TableInput: toTableInput(dataset, columns, 'curated') }
}

describe('toTableInput', () => {
  it('has the types that the catalog knows, names in lower case, and no column of the name of the partitions', () => {
    const { StorageDescriptor } = toTableInput(
      dataset,
      [
        { name: 'At', type: 'timestamp_ntz' },
        { name: 'ds', type: 'string' },
        { name: 'nothing', type: null },
        { name: 'who', type: 'struct<at:array<timestamp_ntz>>' },
      ],
      'curated',
    )
    expect(StorageDescriptor.Columns).toEqual([
      { Name: 'at', Type: 'timestamp' },
      { Name: 'who', Type: 'struct<at:array<timestamp>>' },
    ])
  })
})

describe('the local catalog', () => {
  it('creates a table once, and updates only one that is there', async () => {
    const curated = createMemoryObjectStore()
    const table = call([{ name: 'id', type: 'bigint' }])
    await expect(updateTableIn(table, { curated }, { signal })).rejects.toMatchObject({
      name: 'Glue.EntityNotFoundException',
    })
    await createTableIn(table, { curated }, { signal })
    await expect(createTableIn(table, { curated }, { signal })).rejects.toMatchObject({
      name: 'Glue.AlreadyExistsException',
    })
    expect(await updateTableIn(call([{ name: 'id', type: 'string' }]), { curated }, { signal })).toEqual({})
  })

  it.each([
    ['a type that Hive does not know', [{ name: 'id', type: 'hugeint' }]],
    [
      'a column twice',
      [
        { name: 'id', type: 'bigint' },
        { name: 'ID', type: 'bigint' },
      ],
    ],
  ])('refuses %s', async (_, columns) => {
    const curated = createMemoryObjectStore()
    await expect(createTableIn(call(columns), { curated }, { signal })).rejects.toMatchObject({
      name: 'Glue.InvalidInputException',
    })
  })
})
