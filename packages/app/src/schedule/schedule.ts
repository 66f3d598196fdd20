import { nextCronMs, parseCron } from './cron.ts'

const minuteMs = 60_000
const unitMs: Readonly<Record<string, number>> = {
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
}

/** When a schedule runs. */
export interface ParsedSchedule {
  /** The first time after that one; undefined if it never does. */
  next(afterMs: number): number | undefined
}

/** `rate(5 minutes)` or `cron(0 3 * * ? *)`, in UTC; undefined for what EventBridge would not take. */
export function parseSchedule(expression: string): ParsedSchedule | undefined {
  const everyMs = rateMs(expression)
  if (everyMs !== undefined) return { next: afterMs => afterMs + everyMs }
  const [, fields] = /^cron\((.+)\)$/.exec(expression) ?? []
  const cron = fields === undefined ? undefined : parseCron(fields)
  return cron && { next: afterMs => nextCronMs(cron, afterMs) }
}

function rateMs(expression: string): number | undefined {
  const [, count = '', unit = '', plural] = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression) ?? []
  const isRight = Number(count) > 0 && (count === '1') === (plural === '')
  return isRight ? Number(count) * (unitMs[unit] ?? 0) : undefined
}
