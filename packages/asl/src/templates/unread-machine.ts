import { createFindings, type Finding } from '../finding.ts'
import type { Source } from '../source/source.ts'
import type { TemplateMachine } from './find-machines.ts'

/** The note that Terraform's own files are not read. */
export function unreadTerraform(source: Source): Finding {
  const { report, sorted } = createFindings(source)
  report('valid/unread', [], 'Terraform’s configuration is not read.', {
    suggestion: 'Name the definition that templatefile() or file() reads.',
  })
  return sorted()[0] as Finding
}

/** The note that a template's machine was not checked, and why. */
export function unreadMachine(
  template: Source,
  { logicalId, pointer }: TemplateMachine,
  reason: string,
): Finding {
  const { report, sorted } = createFindings(template)
  report('valid/unread', pointer, `"${logicalId}" is not checked: ${reason}`, { at: 'key' })
  return sorted()[0] as Finding
}
