/** Whether a line that a function printed is CloudWatch's embedded metrics, which are not for people. */
export function isMetrics(line: string): boolean {
  return line.startsWith('{"_aws":')
}
