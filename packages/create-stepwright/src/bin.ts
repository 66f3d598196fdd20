#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { main } from './main.ts'

async function ask(question: string, otherwise: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await lines.question(`${question} [${otherwise}]: `)).trim() || otherwise
  } finally {
    lines.close()
  }
}

process.exitCode = await main(process.argv.slice(2), {
  cwd: process.cwd(),
  write: text => process.stdout.write(text),
  ask: process.stdin.isTTY ? ask : undefined,
})
