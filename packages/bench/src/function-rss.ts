import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Of the largest process that runs functions for this one. */
export async function functionRssMb(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,rss=,args='])
  const sizes = stdout.split('\n').flatMap(line => {
    const [, parent, kib] = /^\s*(\d+)\s+(\d+)\s.*function-process/.exec(line) ?? []
    return Number(parent) === process.pid ? [Number(kib) / 1024] : []
  })
  return Math.max(...sizes)
}
