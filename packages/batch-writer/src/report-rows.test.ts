import { describe, expect, it } from 'vitest'
import { createOutcomeCounter, type ReportedRow, reportRow, toRejectedCsv } from './report-rows.ts'

const failure = { name: 'NotProcessed', reason: 'the Map ended' }
type Item = Readonly<Record<string, string>>

async function* format(columns: readonly string[], rows: AsyncIterable<readonly string[]>) {
  yield Buffer.from(`${columns.join()}\n`)
  for await (const row of rows) yield Buffer.from(`${row.join()}\n`)
}

async function textOf(rows: readonly ReportedRow<Item>[], columnOf = {}) {
  const counter = createOutcomeCounter(10)
  async function* all() {
    yield* rows
  }
  const file = { columns: ['id', 'why'], columnOf }
  const restore = (field: string) => field.replace(/^'/, '')
  const options = { file, reasonColumn: 'error', format, restore, onRow: counter.count }
  let text = ''
  for await (const bytes of toRejectedCsv(all(), options)) text += Buffer.from(bytes).toString()
  return { text, counts: counter.counts() }
}

describe('reportRow', () => {
  it('says why a row was not written', () => {
    expect(reportRow({ rowNumber: 1, item: { id: 'a' }, outcome: 'written' }, failure)).toEqual({
      rowNumber: 1,
      item: { id: 'a' },
    })
    expect(reportRow({ rowNumber: 2, outcome: 'unwritten' }, failure)).toEqual({
      rowNumber: 2,
      error: failure,
    })
    const rejected = { rowNumber: 3, reason: 'too long' }
    expect(reportRow({ rowNumber: 3, outcome: 'rejected', rejected, errorName: 'E' }, failure)).toEqual({
      rowNumber: 3,
      error: { name: 'E', reason: 'too long' },
    })
  })
})

describe('toRejectedCsv', () => {
  const error = { name: 'E', reason: 'bad' }

  it('has the rows that were not written with their reasons, and counts all', async () => {
    const { text, counts } = await textOf([
      { rowNumber: 1, item: { id: 'a', why: '' } },
      { rowNumber: 2, item: { id: 'b', why: 'x' }, error },
      { rowNumber: 3, error: { ...error, reason: 'r'.repeat(500) } },
    ])
    expect(text).toBe('id,why,error\nb,x,row 2: E: bad\n')
    expect(counts).toEqual({
      successCount: 11,
      errorCount: 2,
      errors: {
        E: {
          count: 2,
          samples: [
            { rowNumber: 2, reason: 'bad' },
            { rowNumber: 3, reason: 'r'.repeat(300) },
          ],
        },
      },
    })
  })

  it('replaces the reason of an earlier such file, and restores its fields', async () => {
    const row = { rowNumber: 2, item: { id: "'=b", why: 'row 9: E: bad' }, error }
    expect((await textOf([row], { error: 'why' })).text).toBe('id,error\n=b,row 2: E: bad\n')
  })
})
