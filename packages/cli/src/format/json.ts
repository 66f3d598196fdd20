import type { Checked } from '../check-file.ts'

/** For programs: every finding as `checkWorkflow` gives it. */
export function formatJson(checked: readonly Checked[]): string {
  return `${JSON.stringify({ machines: checked.length, findings: checked.flatMap(({ findings }) => findings) }, null, 2)}\n`
}
