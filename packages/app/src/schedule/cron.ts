/** `minutes hours day-of-month month day-of-week year`, read. */
export interface Cron {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly months: ReadonlySet<number>
  readonly isYear: (year: number) => boolean
  readonly isDay: (day: Date) => boolean
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const dayMs = 24 * 60 * 60_000
const [minYear, maxYear] = [1970, 2199]

/** Undefined for what EventBridge would not take. */
export function parseCron(text: string): Cron | undefined {
  const fields = text.trim().split(/\s+/)
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = fields
  // A day is said once: by its date or by its weekday.
  if (fields.length !== 6 || (dayOfMonth === '?') === (dayOfWeek === '?')) return undefined
  const minutes = valuesOf(minute, 0, 59)
  const hours = valuesOf(hour, 0, 23)
  const inMonths = valuesOf(month, 1, 12, months)
  const years = valuesOf(year, minYear, maxYear)
  const isDay = dayOfMonth === '?' ? parseDayOfWeek(dayOfWeek) : parseDayOfMonth(dayOfMonth)
  if (!minutes || !hours || !inMonths || !years || !isDay) return undefined
  const inYears = new Set(years)
  return { minutes, hours, months: new Set(inMonths), isYear: each => inYears.has(each), isDay }
}

/** The first minute after that time. */
export function nextCronMs(cron: Cron, afterMs: number): number | undefined {
  const firstMs = Math.floor(afterMs / 60_000) * 60_000 + 60_000
  for (let startMs = Math.floor(firstMs / dayMs) * dayMs; ; startMs += dayMs) {
    const day = new Date(startMs)
    if (day.getUTCFullYear() > maxYear) return undefined
    if (!cron.isYear(day.getUTCFullYear()) || !cron.months.has(day.getUTCMonth() + 1) || !cron.isDay(day)) {
      continue
    }
    for (const hour of cron.hours) {
      for (const minute of cron.minutes) {
        const timeMs = startMs + (hour * 60 + minute) * 60_000
        if (timeMs >= firstMs) return timeMs
      }
    }
  }
}

/** Lists, ranges and steps: `1,15`, `9-17`, `0/5`, `MON-FRI`. Names count from the field's least value. */
function valuesOf(
  field: string,
  min: number,
  max: number,
  names: readonly string[] = [],
): readonly number[] | undefined {
  const toNumber = (text: string): number => {
    const named = names.indexOf(text.toUpperCase())
    return named === -1 ? (/^\d+$/.test(text) ? Number(text) : Number.NaN) : named + min
  }
  const found = new Set<number>()
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/')
    const [from = '', to] = range.split('-')
    const first = range === '*' ? min : toNumber(from)
    const last = range === '*' || (part.includes('/') && to === undefined) ? max : toNumber(to ?? from)
    if (!(first >= min && last <= max && first <= last && /^[1-9]\d*$/.test(step))) return undefined
    for (let value = first; value <= last; value += Number(step)) found.add(value)
  }
  return [...found].sort((a, b) => a - b)
}

type IsDay = Cron['isDay']

/** Also `L`, the last day, `LW`, the last weekday, and `15W`, the weekday nearest to that date. */
function parseDayOfMonth(field: string): IsDay | undefined {
  if (field === 'L') return day => day.getUTCDate() === daysInMonth(day)
  if (field === 'LW') return day => day.getUTCDate() === nearestWeekday(day, daysInMonth(day))
  const [, near] = /^(\d{1,2})W$/.exec(field) ?? []
  if (near !== undefined) {
    const isDate = Number(near) >= 1 && Number(near) <= 31
    return isDate ? day => day.getUTCDate() === nearestWeekday(day, Number(near)) : undefined
  }
  const days = valuesOf(field, 1, 31)
  return days && (day => days.includes(day.getUTCDate()))
}

/** Also `L`, Saturday, `6L`, the last Friday of a month, and `3#2`, its second Tuesday. */
function parseDayOfWeek(field: string): IsDay | undefined {
  const [, which = '', nth] = /^(\w+)(?:L|#([1-5]))$/.exec(field) ?? []
  const [weekday] = which === '' ? [] : (valuesOf(which, 1, 7, weekdays) ?? [])
  if (weekday !== undefined) {
    return day => {
      if (day.getUTCDay() + 1 !== weekday) return false
      return nth === undefined
        ? day.getUTCDate() > daysInMonth(day) - 7
        : Math.ceil(day.getUTCDate() / 7) === Number(nth)
    }
  }
  const days = valuesOf(field === 'L' ? 'SAT' : field, 1, 7, weekdays)
  return days && (day => days.includes(day.getUTCDay() + 1))
}

function daysInMonth(day: Date): number {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
}

/** The date of the weekday nearest to a date, in the same month. */
function nearestWeekday(day: Date, date: number): number {
  const last = daysInMonth(day)
  if (date > last) return Number.NaN
  const weekday = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), date)).getUTCDay()
  if (weekday === 6) return date === 1 ? 3 : date - 1
  if (weekday === 0) return date === last ? date - 2 : date + 1
  return date
}
