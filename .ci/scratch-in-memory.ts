import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** Several times what the tests use at once. */
const minBytes = 6 * 2 ** 30

/**
 * Databases and files that are thrown away after a test need no disk, which takes a tenth of the processor time of all
 * tests. Does nothing where somebody has set TMPDIR, or where there is no room in memory or no program may run.
 */
export function keepScratchInMemory(directory = '/dev/shm'): void {
  if (process.env['TMPDIR'] === undefined && hasRoom(directory) && runsPrograms(directory)) {
    process.env['TMPDIR'] = directory
  }
}

function hasRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return Math.min(bavail * bsize, freemem()) > minBytes
  } catch {
    return false
  }
}

/** Containers often forbid it there. */
function runsPrograms(directory: string): boolean {
  try {
    const place = mkdtempSync(join(directory, 'stepwright-'))
    try {
      const program = join(place, 'program')
      writeFileSync(program, '#!/bin/sh\n')
      chmodSync(program, 0o700)
      return spawnSync(program).status === 0
    } finally {
      rmSync(place, { recursive: true })
    }
  } catch {
    return false
  }
}
