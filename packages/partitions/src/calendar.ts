const dayMs = 86_400_000

/** Whether the text is a day of the calendar as `YYYY-MM-DD`; 2025-02-30 is not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && toDay(ms) === text
}

/** How many days `daysBetween` gives. */
export function countDays(first: string, last: string): number {
  return Math.max(0, (Date.parse(last) - Date.parse(first)) / dayMs + 1)
}

/** Every day from the first to the last, both included; none where the last is before the first. UTC. */
export function daysBetween(first: string, last: string): readonly string[] {
  return Array.from({ length: countDays(first, last) }, (_, index) =>
    toDay(Date.parse(first) + index * dayMs),
  )
}

export function dayBefore(day: string): string {
  return toDay(Date.parse(day) - dayMs)
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
