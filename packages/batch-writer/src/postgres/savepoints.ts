import type { Wire } from './connection-pool.ts'
import type { Answer } from './exchange.ts'
import { isRefusal, toRefusedBatch } from './refusal.ts'
import type { Session } from './session.ts'
import type { Table } from './table.ts'

/** Sends statements that stand before the ones it is about, in whichever protocol these use. */
export type SendAfter = (wire: Wire, before: readonly string[]) => void

/** One savepoint after the other: whatever a batch takes can be undone, and costs no round trip of its own. */
export interface Savepoints {
  /** Ends the savepoint before and does something behind a new one. */
  open(send: SendAfter): Promise<Answer>
  /** Does more behind the same savepoint. */
  more(send: SendAfter): Promise<Answer>
  /** What was done since `open` will be undone. */
  undo(): void
  /** What must be sent before the transaction goes on without a savepoint. */
  takeEnd(): readonly string[]
}

const keep = ['RELEASE SAVEPOINT stepwright_batch']
const undoSql = ['ROLLBACK TO SAVEPOINT stepwright_batch', ...keep]

export function createSavepoints(session: Session, table: Table): Savepoints {
  let end: readonly string[] = []

  async function run(before: readonly string[], send: SendAfter): Promise<Answer> {
    // A failure undoes all behind the savepoint; only a success may keep it.
    end = undoSql
    try {
      const answer = await session.send(wire => send(wire, before))
      end = keep
      return answer
    } catch (error) {
      throw isRefusal(error) ? toRefusedBatch(error, table) : error
    }
  }
  return {
    open: send => run([...end, 'SAVEPOINT stepwright_batch'], send),
    more: send => run([], send),
    undo() {
      end = undoSql
    },
    takeEnd() {
      const taken = end
      end = []
      return taken
    },
  }
}
