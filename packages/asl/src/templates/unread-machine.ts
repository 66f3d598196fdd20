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

/** The error that a file is not UTF-8, at the offset of the first character that could not be decoded. */
export function notUtf8(source: Source, offset: number): Finding {
  const { report, sorted } = createFindings(source)
  report('valid/syntax', [], 'The file is not UTF-8.', {
    suggestion: 'Save it as UTF-8.',
    location: source.place(offset, offset + 1),
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
