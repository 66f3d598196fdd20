import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { widthOf } from '../text-width.ts'
import {
  callEvent,
  type DevEvent,
  executionEvent,
  isFailureLine,
  logEvent,
  mailEvent,
  requestEvent,
  troubleEvent,
} from './dev-event.ts'
import { createDevLog, type DevLogOptions } from './dev-log.ts'

const noon = new Date(2030, 0, 1, 12, 0, 0).getTime()

function linesOf(events: readonly DevEvent[], options: Partial<DevLogOptions> = {}): readonly string[] {
  let written = ''
  const tell = createDevLog({
    write: text => {
      written += text
    },
    colour: false,
    terminal: () => undefined,
    mode: 'text',
    now: () => noon,
    ...options,
  })
  for (const event of events) tell(event)
  return written.trimEnd().split('\n')
}

const detail = {
  executionArn: 'arn:e',
  stateMachineArn: 'arn:m',
  name: 'order-1',
  status: 'FAILED',
  startDate: 1000,
  stopDate: 2500,
  error: 'OutOfStock',
  cause: JSON.stringify({ errorType: 'OutOfStock', errorMessage: 'no A1 left' }),
}
const failed = executionEvent({ detail } as never, () => 'order')
const answered = requestEvent({ method: 'POST', path: '/orders', status: 202, startMs: 0, endMs: 12 })
const sent = mailEvent({ messageId: '1', from: 'a', to: ['ann@example.com'], subject: '件名' } as never)
const logged = logEvent(
  '{"level":"WARN","message":"price failed","service":"price","error":{"name":"TypeError","message":"x\\ny"}}',
)
const events = [failed, answered, sent, logged, logEvent('\u001b[31mplain\u001b[0m\ttext')]

describe('the log of stepwright dev', () => {
  it('tells one line each, in columns', () => {
    expect(linesOf(events)).toEqual([
      '12:00:00  execution  order                     failed order-1 in 1.5 s  OutOfStock: no A1 left',
      '12:00:00  request    POST /orders              202 in 12 ms',
      '12:00:00  mail       ann@example.com           件名',
      '12:00:00  log        price                     WARN price failed  TypeError: x y',
      '12:00:00  log                                  plain text',
    ])
  })

  it('never breaks a line of a narrow window, and cuts names first', () => {
    const lines = linesOf([...events, { ...sent, name: '受信者'.repeat(20), text: '件名'.repeat(50) }], {
      terminal: () => ({ columns: 40, rows: 10 }),
    })
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40)
    expect(lines[0]).toBe('execution  order       failed order-1 i…')
    expect(lines[2]).toBe('mail       ann@examp…  件名')
  })

  it('has colours where they are wanted, and only there', () => {
    const [line = ''] = linesOf([failed], { colour: true })
    expect(line).toContain('\u001b[31mexecution')
    expect(stripVTControlCharacters(line)).toBe(linesOf([failed])[0])
  })

  it('tells machines the same as JSON', () => {
    expect(linesOf(events, { mode: 'json' }).map(line => JSON.parse(line))).toMatchObject([
      {
        time: new Date(noon).toISOString(),
        kind: 'execution',
        workflow: 'order',
        status: 'FAILED',
        error: 'OutOfStock',
      },
      { kind: 'request', method: 'POST', path: '/orders', status: 202, tookMs: 12 },
      { kind: 'mail', to: ['ann@example.com'] },
      { kind: 'log', entry: { level: 'WARN', message: 'price failed' } },
      { kind: 'log', line: expect.stringContaining('plain') },
    ])
  })

  it('tells of a function that could not say itself why it failed, and of no other', () => {
    const call = { functionName: 'Price', requestId: '1', startMs: 0, endMs: 1, log: '' }
    expect(callEvent(call)).toBeUndefined()
    expect(callEvent({ ...call, error: { name: 'OutOfStock', message: 'x' } })).toBeUndefined()
    const error = { name: 'Runtime.ImportModuleError', message: 'no such module' }
    expect(callEvent({ ...call, error })).toMatchObject({
      kind: 'problem',
      name: 'Price',
      text: 'Runtime.ImportModuleError: no such module',
    })
  })

  it('tells only what stands in the way when it has to be quiet', () => {
    const problem = { ...failed, kind: 'problem' } as const
    expect(linesOf([...events, problem], { mode: 'quiet' })).toHaveLength(1)
  })

  it('tells of a failed task in one line, with what caused it and where, in place of its log', () => {
    const errors = [
      { name: 'UnexpectedError', message: 'reported as TypeError', details: { row: 3 } },
      { name: 'TypeError', message: 'x is not\na function' },
    ]
    const [line, ...others] = linesOf([
      troubleEvent({ task: 'worker', errors, frames: ['at run (/app/src/worker.ts:3:9)'] }),
    ])
    expect(others).toEqual([])
    expect(line).toContain('worker')
    expect(line).toContain(
      'UnexpectedError: reported as TypeError, because of TypeError: x is not a function  {"row":3}  at run (/app/src/worker.ts:3:9)',
    )
    const logged = {
      level: 'ERROR',
      service: 'worker',
      message: 'worker failed',
      error: { name: 'UnexpectedError' },
    }
    expect(isFailureLine(JSON.stringify(logged))).toBe(true)
    expect(isFailureLine(JSON.stringify({ ...logged, message: 'something else' }))).toBe(false)
  })
})
