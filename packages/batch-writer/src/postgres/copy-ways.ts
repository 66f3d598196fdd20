import { RefusedBatchError, type WriteCounts } from '../row-sink.ts'
import { type CopyEncoder, type CopyFormat, copySql } from './copy-data.ts'
import { type Answer, countOf } from './exchange.ts'
import type { Savepoints } from './savepoints.ts'
import type { Table } from './table.ts'

export type Rows = readonly object[]

/** Behind a savepoint of its own, or behind the one that is open. */
export type Send = Savepoints['open']

/** The statements of which the last is the COPY, or follows it. */
type Statements = (format: CopyFormat) => readonly string[]

export interface CopyWays {
  copy(rows: Rows, send?: Send): Promise<WriteCounts>
  /** A few rows ahead of the others, behind one savepoint. */
  scout(rows: Rows): Promise<WriteCounts>
  copyInto(rows: Rows, statements: Statements): Promise<Answer>
}

type AnyFormat = CopyFormat | 'auto'

const scouts = 100

/** COPY, in binary form, or as text where a value turns out to have no binary form. */
export function createCopyWays({
  savepoints,
  table,
  encoder,
}: {
  readonly savepoints: Savepoints
  readonly table: Table
  readonly encoder: CopyEncoder
}): CopyWays {
  const names = table.columns.map(column => column.quoted).join(', ')

  async function scoutAs(format: AnyFormat, rows: Rows): Promise<WriteCounts> {
    const ahead = await copyAs(format, rows.slice(0, scouts))
    const others = rows.slice(scouts)
    try {
      const { inserted, unchanged } = await copyAs(format, others, savepoints.more)
      return { inserted: ahead.inserted + inserted, updated: 0, unchanged: ahead.unchanged + unchanged }
    } catch (error) {
      throw error instanceof RefusedBatchError ? amongAll(error, others, rows) : error
    }
  }

  async function copyAs(format: AnyFormat, rows: Rows, send: Send = savepoints.open): Promise<WriteCounts> {
    const { tags } = await copyIntoAs(format, rows, send, chosen => [copySql(table.name, names, chosen)])
    const inserted = countOf(tags.at(-1))
    // The others were skipped by a trigger.
    return { inserted, updated: 0, unchanged: rows.length - inserted }
  }

  async function copyIntoAs(
    format: AnyFormat,
    rows: Rows,
    send: Send,
    statements: Statements,
  ): Promise<Answer> {
    const stream = encoder.open(rows, format)
    try {
      const answer = await send((wire, before) => {
        wire.query([...before, ...statements(stream.format)].join(';'))
        for (const message of stream.messages()) wire.stream.write(message)
      })
      stream.recycle()
      return answer
    } catch (error) {
      throw stream.isUnfit() ? new UnfitError() : (stream.failure() ?? error)
    }
  }
  return {
    copy: (rows, send = savepoints.open) =>
      orAsText(format => copyAs(format, rows, format === 'text' ? savepoints.open : send)),
    scout: rows => orAsText(format => (rows.length <= scouts ? copyAs(format, rows) : scoutAs(format, rows))),
    copyInto: (rows, statements) => orAsText(format => copyIntoAs(format, rows, savepoints.open, statements)),
  }
}

/** A value has no binary form. Whatever was done behind the savepoint is undone, and is to be sent as text. */
class UnfitError extends Error {}

async function orAsText<Result>(write: (format: AnyFormat) => Promise<Result>): Promise<Result> {
  try {
    return await write('auto')
  } catch (error) {
    if (error instanceof UnfitError) return write('text')
    throw error
  }
}

/** The refusal of some rows as one of the batch that they are part of. */
export function amongAll({ refusal, cause }: RefusedBatchError, some: Rows, all: Rows): RefusedBatchError {
  const suspect = refusal.suspect === undefined ? undefined : all.indexOf(some[refusal.suspect] as object)
  return new RefusedBatchError({ ...refusal, suspect }, { cause })
}
