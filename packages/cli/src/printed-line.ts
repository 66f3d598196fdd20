/** Whether a line that a function printed is CloudWatch's embedded metrics, which are not for people. */
export function isMetrics(line: string): boolean {
  if (!line.includes('"_aws"') || !line.includes('"CloudWatchMetrics"')) return false
  try {
    return typeof JSON.parse(line)?._aws === 'object'
  } catch {
    return false
  }
}
