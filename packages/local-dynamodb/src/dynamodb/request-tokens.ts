/// <reference path="./dynalite.d.ts" />
import { createHash } from 'node:crypto'
import db, { type Operation, type Store } from 'dynalite/db/index.js'
import type { Answer, Call } from './engine.ts'
import { jsonAnswer, refuse } from './engine-calls.ts'

interface Token {
  readonly name: string
  /** Of what is asked for. */
  readonly hash: string
}

interface Kept {
  readonly hash: string
  readonly at: number
}

export interface RequestTokens {
  parse(input: Call['input']): Token | undefined
  /** The answer to a repeated or wrong request; undefined where it is to be carried out. */
  claim(token: Token | undefined): Promise<Answer | undefined>
  toOperations(token: Token | undefined): readonly Operation[]
  release(token: Token | undefined): void
}

const windowMs = 10 * 60_000
const maxTokenLength = 36
const prefix = 'token~'

/** The client request tokens of transactions, which are idempotent for ten minutes, also after a restart. */
export function createRequestTokens(store: Store, now: () => number): RequestTokens {
  const running = new Map<string, Token>()
  return {
    parse({ ClientRequestToken: name, TransactItems }) {
      if (name == null) return undefined
      if (typeof name !== 'string' || name.length < 1 || name.length > maxTokenLength) {
        throw db.validationError(
          `1 validation error detected: Value '${name}' at 'clientRequestToken' failed to satisfy constraint: Member must have length between 1 and ${maxTokenLength}`,
        )
      }
      return { name, hash: createHash('sha256').update(canonicalJson(TransactItems)).digest('base64') }
    },
    async claim(token) {
      if (token === undefined) return undefined
      if (running.has(token.name)) {
        return refuse(
          'TransactionInProgressException',
          'A transaction with this ClientRequestToken is in progress',
        )
      }
      running.set(token.name, token)
      const kept = (await store.db.get(`${prefix}${token.name}`)) as Kept | undefined
      if (kept === undefined || kept.at + windowMs <= now()) return undefined
      running.delete(token.name)
      if (kept.hash === token.hash) return jsonAnswer(200, {})
      return refuse(
        'IdempotentParameterMismatchException',
        'This ClientRequestToken was used with other parameters within the last 10 minutes',
      )
    },
    toOperations(token) {
      if (token === undefined) return []
      const value: Kept = { hash: token.hash, at: now() }
      return [{ type: 'put', key: `${prefix}${token.name}`, value }]
    },
    release(token) {
      if (token !== undefined && running.get(token.name) === token) running.delete(token.name)
    },
  }
}

/** Removes the tokens that no longer count. */
export async function removeOldTokens({ db: level }: Store, now: number): Promise<void> {
  const old: Operation[] = []
  for await (const [key, value] of level.iterator({ gte: prefix, lt: `${prefix}\uffff` })) {
    if ((value as Kept).at + windowMs <= now) old.push({ type: 'del', key })
  }
  if (old.length > 0) await level.batch(old)
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
