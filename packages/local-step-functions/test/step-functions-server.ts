import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { startStepFunctions } from '../src/step-functions.ts'

const [, , directory = '', ledger = ''] = process.argv

/** A server to be killed: its functions note in a file what they did. */
const server = await startStepFunctions({
  directory,
  functions: {
    step: async ({ name, step }: { name: string; step: number }) => {
      await wait(2)
      appendFileSync(ledger, `${name} ${step}\n`)
      return { name, step: step + 1 }
    },
  },
})
process.stdout.write(`${server.endpoint}\n`)
