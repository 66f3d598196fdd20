#!/usr/bin/env node
import { main } from './main.ts'
import { packageManagerOf } from './package-manager.ts'
import { createPrompt } from './prompt.ts'

const prompt = createPrompt({
  input: process.stdin,
  output: process.stdout,
  onAbandoned() {
    process.stdout.write('\nNothing was made.\n')
    process.exit(130)
  },
})
process.exitCode = await main(process.argv.slice(2), {
  cwd: process.cwd(),
  write: text => process.stdout.write(text),
  ask: process.stdin.isTTY ? prompt.ask : undefined,
  packageManager: packageManagerOf(process.env['npm_config_user_agent']),
})
prompt.close()
