import type { Schedule } from '@stepwright/app'

const minuteMs = 60_000
const unitMs: Readonly<Record<string, number>> = {
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
}

/** Milliseconds between two calls of `rate(…)`; undefined for `cron(…)`. */
export function rateMs(schedule: Schedule): number | undefined {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(schedule) ?? []
  return count === undefined ? undefined : Number(count) * (unitMs[unit] ?? 0)
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** Whether `cron(minutes hours day-of-month month day-of-week year)` means this minute, in UTC. */
export function cronMatches(schedule: Schedule, timeMs: number): boolean {
  const [minute, hour, dayOfMonth, month, dayOfWeek, year] = schedule.slice(5, -1).split(' ')
  const time = new Date(timeMs)
  return (
    fieldMatches(minute, time.getUTCMinutes(), 0) &&
    fieldMatches(hour, time.getUTCHours(), 0) &&
    fieldMatches(dayOfMonth, time.getUTCDate(), 1) &&
    fieldMatches(month, time.getUTCMonth() + 1, 1, months) &&
    fieldMatches(dayOfWeek, time.getUTCDay() + 1, 1, days) &&
    fieldMatches(year, time.getUTCFullYear(), 1970)
  )
}

/** Lists, ranges and steps: `1,15`, `9-17`, `0/5`, `MON-FRI`. Names count from the field's least value. */
function fieldMatches(field = '*', value: number, min: number, names: readonly string[] = []): boolean {
  const toNumber = (text: string): number => {
    const named = names.indexOf(text.toUpperCase())
    return named === -1 ? Number(text) : named + min
  }
  return field.split(',').some(part => {
    const [range = '', step] = part.split('/')
    const every = range === '*' || range === '?'
    const [from = '', to] = range.split('-')
    const first = every ? min : toNumber(from)
    const last =
      every || (step !== undefined && to === undefined) ? Number.MAX_SAFE_INTEGER : toNumber(to ?? from)
    return value >= first && value <= last && (value - first) % Number(step ?? 1) === 0
  })
}
