import type { LogFields } from '@stepwright/task'
import type { LogSink, MetricsSink } from '@stepwright/task/lambda'

/** Collects what an adapter would write. */
export function memorySinks(): {
  logger: LogSink
  metrics: MetricsSink
  lines: { level: string; message: string; fields: LogFields }[]
  published: Record<string, unknown>[]
} {
  const lines: { level: string; message: string; fields: LogFields }[] = []
  const published: Record<string, unknown>[] = []
  let stored: Record<string, unknown> = {}
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      lines.push({ level, message, fields })
  return {
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    metrics: {
      addMetric(name, unit, value) {
        stored[name] = `${value} ${unit}`
      },
      addMetadata(key, value) {
        stored[key] = value
      },
      publishStoredMetrics() {
        published.push(stored)
        stored = {}
      },
    },
    lines,
    published,
  }
}
