import { spawn, spawnSync } from 'node:child_process'

/** Ends the benchmark with a reason where PostgreSQL's own client is missing. */
export function assertPsql(): void {
  if (spawnSync('psql', ['--version']).status === 0) return
  console.error(
    'psql is missing: these figures compare with it. Install the PostgreSQL client and try again.',
  )
  process.exit(2)
}

/** Feeds a script to psql, and returns how many rows its last `\copy` took. */
export async function psql(url: string, script: string): Promise<number> {
  const child = spawn('psql', ['-X', '-v', 'ON_ERROR_STOP=1', url], { stdio: ['pipe', 'pipe', 'inherit'] })
  let answers = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    answers += text
  })
  child.stdin.end(script)
  const code = await new Promise(resolve => child.once('close', resolve))
  if (code !== 0) throw new Error(`psql ended with ${code}`)
  return Number(/COPY (\d+)\s*$/.exec(answers)?.[1] ?? 0)
}
