import { setTimeout as pause } from 'node:timers/promises'
import type { Writer } from './report.ts'

/** Put your own here: a model, a renderer, another service. */
export function createWriter({ secondsPerChapter = 1 } = {}): Writer {
  return {
    async write(title, chapter, signal) {
      await pause(secondsPerChapter * 1000, undefined, { signal })
      return `${title}, on ${chapter}: …`
    },
  }
}
