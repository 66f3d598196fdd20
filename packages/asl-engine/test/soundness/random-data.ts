import type { Json } from '@stepwright/asl'
import { chance, pick, type Random } from './random.ts'

/** What every random machine is started with. */
export const inputSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    n: { type: 'number' },
    flag: { type: 'boolean' },
    kind: { enum: ['a', 'b', 'c'] },
    list: {
      type: 'array',
      items: {
        type: 'object',
        properties: { x: { type: 'number' } },
        required: ['x'],
        additionalProperties: false,
      },
    },
    inner: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
      additionalProperties: false,
    },
    note: { type: 'string' },
  },
  required: ['id', 'n', 'flag', 'kind', 'list', 'inner'],
  additionalProperties: false,
} as const

/** An input that fits the schema. */
export function randomInput(random: Random): Json {
  return {
    id: pick(random, ['', 'x', '2024-01-01T00:00:00Z']),
    n: pick(random, [0, 1, 7]),
    flag: chance(random, 0.5),
    kind: pick(random, ['a', 'b', 'c']),
    list: Array.from({ length: Math.floor(random() * 4) }, () => ({ x: Math.floor(random() * 9) })),
    inner: { a: 'a', ...(chance(random, 0.5) && { b: 1 }) },
    ...(chance(random, 0.5) && { note: 'n' }),
  }
}

/** An input with everything that the schema allows: what is read of it may be missing in another. */
export const fullInput: Json = {
  id: '7',
  n: 7,
  flag: true,
  kind: 'a',
  list: [{ x: 5 }, { x: 8 }],
  inner: { a: 'a', b: 1 },
  note: 'n',
}

/** A task that always answers, and one that may also fail: what it raises is always caught. */
export const tasks = {
  fetch: {
    name: 'fetch',
    errors: [],
    output: {
      type: 'object',
      properties: {
        rows: { type: 'array', items: { type: 'number' }, minItems: 1 },
        total: { type: 'number' },
        next: { type: 'string' },
      },
      required: ['rows', 'total'],
      additionalProperties: false,
    },
  },
  send: {
    name: 'send',
    errors: [{ name: 'SendError', kind: 'business' }],
    output: {
      type: 'object',
      properties: { messageId: { type: 'string' } },
      required: ['messageId'],
      additionalProperties: false,
    },
  },
} as const

/** What a task answers; `undefined` where it fails. */
export function randomAnswer(task: string, random: Random): Json | undefined {
  if (task === 'send') return chance(random, 0.3) ? undefined : { messageId: 'm' }
  const rows = Array.from({ length: 1 + Math.floor(random() * 3) }, () => Math.floor(random() * 9))
  return { rows, total: rows.length, ...(chance(random, 0.5) && { next: 'n' }) }
}

export const fullAnswer: Json = { rows: [1, 5], total: 2, next: 'n', messageId: 'm' }
