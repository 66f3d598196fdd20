const format = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

/** An ISO-8601 time with an offset, as milliseconds since the epoch; `undefined` if the text is none. */
export function parseTimestamp(text: string): number | undefined {
  const match = format.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = '0'] = match
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const isValid =
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= daysInMonth &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 59
  const timeMs = isValid ? Date.parse(text) : Number.NaN
  return Number.isNaN(timeMs) ? undefined : timeMs
}
