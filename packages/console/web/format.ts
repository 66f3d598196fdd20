export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})
const day = new Intl.DateTimeFormat('en-CA')

/** The zone of all times that are shown, such as `GMT+9`. */
export const timeZone: string =
  new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

export function time(ms: number): string {
  return clock.format(ms)
}

export function dateTime(ms: number): string {
  return `${day.format(ms)} ${clock.format(ms)}`
}

export function count(value: number): string {
  return value.toLocaleString('en')
}

/** `1 event`, `2 events`. */
export function counted(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? '' : 's'}`
}

export function bytes(size: number): string {
  if (size < 1000) return `${size} B`
  if (size < 1_000_000) return `${(size / 1000).toFixed(1)} kB`
  return `${(size / 1_000_000).toFixed(1)} MB`
}

export function dollars(value: number): string {
  return value < 0.01 ? `$${value.toFixed(6)}` : `$${value.toFixed(2)}`
}
