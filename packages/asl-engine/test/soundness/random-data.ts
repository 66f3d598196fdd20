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
    event: {
      anyOf: [
        {
          type: 'object',
          properties: {
            type: { const: 'created' },
            order: {
              type: 'object',
              properties: { id: { type: 'string' }, total: { type: 'number' } },
              required: ['id', 'total'],
              additionalProperties: false,
            },
          },
          required: ['type', 'order'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { type: { const: 'deleted' }, reason: { type: 'string' } },
          required: ['type', 'reason'],
          additionalProperties: false,
        },
      ],
    },
    mixed: {
      type: 'array',
      items: {
        anyOf: [
          {
            type: 'object',
            properties: { x: { type: 'number' } },
            required: ['x'],
            additionalProperties: false,
          },
          {
            type: 'object',
            properties: { y: { type: 'string' } },
            required: ['y'],
            additionalProperties: false,
          },
        ],
      },
    },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    maybe: {
      anyOf: [
        {
          type: 'object',
          properties: { a: { type: 'number' } },
          required: ['a'],
          additionalProperties: false,
        },
        { type: 'null' },
      ],
    },
  },
  required: ['id', 'n', 'flag', 'kind', 'list', 'inner', 'event', 'mixed', 'either', 'maybe'],
  additionalProperties: false,
} as const

function randomEvent(random: Random): Json {
  return chance(random, 0.5)
    ? { type: 'created', order: { id: 'o', total: 3 } }
    : { type: 'deleted', reason: 'why' }
}

/** The values of which the schema leaves open what they are. */
function randomUnions(random: Random): { readonly [field: string]: Json } {
  return {
    event: randomEvent(random),
    mixed: Array.from({ length: Math.floor(random() * 3) }, () =>
      chance(random, 0.5) ? { x: 2 } : { y: 't' },
    ),
    either: chance(random, 0.5) ? 'e' : 4,
    maybe: chance(random, 0.5) ? { a: 1 } : null,
  }
}

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
    ...randomUnions(random),
  }
}

/** An input with everything that the schema allows: what is read of it may be missing in another. */
export function fullInput(random: Random): Json {
  return {
    id: '7',
    n: 7,
    flag: true,
    kind: 'a',
    list: [{ x: 5 }, { x: 8 }],
    inner: { a: 'a', b: 1 },
    note: 'n',
    event: randomEvent(random),
    mixed: [{ x: 2 }, { y: 't' }],
    either: chance(random, 0.5) ? 'e' : 4,
    maybe: { a: 1 },
  }
}

/** Tasks that always answer, and one that may also fail: what it raises is always caught. */
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
  find: {
    name: 'find',
    errors: [],
    output: {
      anyOf: [
        {
          type: 'object',
          properties: {
            found: { const: true },
            row: {
              type: 'object',
              properties: { x: { type: 'number' } },
              required: ['x'],
              additionalProperties: false,
            },
          },
          required: ['found', 'row'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { found: { const: false }, tried: { type: 'number' } },
          required: ['found', 'tried'],
          additionalProperties: false,
        },
      ],
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
  if (task === 'find')
    return chance(random, 0.5) ? { found: true, row: { x: 1 } } : { found: false, tried: 3 }
  if (task === 'send') return chance(random, 0.3) ? undefined : { messageId: 'm' }
  const rows = Array.from({ length: 1 + Math.floor(random() * 3) }, () => Math.floor(random() * 9))
  return { rows, total: rows.length, ...(chance(random, 0.5) && { next: 'n' }) }
}

/** An answer with everything that any of the tasks answers. */
export const fullAnswer: Json = {
  rows: [1, 5],
  total: 2,
  next: 'n',
  messageId: 'm',
  found: true,
  row: { x: 1 },
  tried: 3,
}
