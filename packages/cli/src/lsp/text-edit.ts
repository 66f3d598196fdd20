import type { Range } from './document.ts'

/** A change of the text, as the protocol has it. */
export interface TextEdit {
  readonly range: Range
  readonly newText: string
}
