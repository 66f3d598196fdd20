import { spawn } from 'node:child_process'

/**
 * Runs a Node script to its end in a process of its own and returns that process's peak resident memory.
 * The script must write nothing to file descriptor 3.
 */
export async function peakRssMb(script: string, args: readonly string[] = []): Promise<number> {
  const reporter = `data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>writeSync(3,String(process.resourceUsage().maxRSS)))`
  const child = spawn(process.execPath, ['--import', reporter, script, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  let reported = ''
  child.stdio[3]?.on('data', (data: Buffer) => {
    reported += data.toString()
  })
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  if (exitCode !== 0) throw new Error(`${script} exited with ${exitCode}`)
  return Number(reported) / 1024
}
