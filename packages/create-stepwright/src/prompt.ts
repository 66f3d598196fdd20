import { createInterface, type Interface } from 'node:readline/promises'
import type { Ask } from './ask.ts'

export interface Prompt {
  readonly ask: Ask
  readonly close: () => void
}

export interface PromptOptions {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Ctrl-C or Ctrl-D, instead of an answer. */
  readonly onAbandoned: () => void
}

/** Asks on a terminal. All questions share one reader: a second one would echo every letter once more. */
export function createPrompt({ input, output, onAbandoned }: PromptOptions): Prompt {
  let lines: Interface | undefined
  return {
    async ask(question, otherwise) {
      lines ??= createInterface({ input, output, terminal: true }).once('close', onAbandoned)
      return (await lines.question(`${question} [${otherwise}]: `)).trim() || otherwise
    },
    close() {
      lines?.off('close', onAbandoned).close()
    },
  }
}
