#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { main } from './main.ts'

async function ask(question: string, otherwise: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C and Ctrl-D end it, and nothing is made.
  lines.once('close', () => process.exit(130))
  const answer = await lines.question(`${question} [${otherwise}]: `)
  lines.removeAllListeners('close')
  lines.close()
  return answer.trim() || otherwise
}

process.exitCode = await main(process.argv.slice(2), {
  cwd: process.cwd(),
  write: text => process.stdout.write(text),
  ask: process.stdin.isTTY ? ask : undefined,
})
