import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** How far each trigger has read its stream, so that the next process goes on from there. */
export interface StreamPositions {
  get(trigger: string, streamArn: string): string | undefined
  set(trigger: string, streamArn: string, sequenceNumber: string): Promise<void>
}

interface Position {
  readonly streamArn: string
  readonly sequenceNumber: string
}

/** @param file where they outlive the process; in memory without one */
export function openStreamPositions(file: string | undefined): StreamPositions {
  const positions = new Map<string, Position>(
    file !== undefined && existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : [],
  )
  let writing = Promise.resolve()
  const write = async (path: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(`${path}.new`, JSON.stringify(Object.fromEntries(positions)), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
  return {
    get(trigger, streamArn) {
      const position = positions.get(trigger)
      return position?.streamArn === streamArn ? position.sequenceNumber : undefined
    },
    set(trigger, streamArn, sequenceNumber) {
      positions.set(trigger, { streamArn, sequenceNumber })
      if (file === undefined) return Promise.resolve()
      writing = writing.then(
        () => write(file),
        () => write(file),
      )
      return writing
    },
  }
}
