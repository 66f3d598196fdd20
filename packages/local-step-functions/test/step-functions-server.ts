import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { startStepFunctions } from '../src/step-functions.ts'

const [, , dataDirectory = '', ledger = ''] = process.argv

interface Given {
  readonly name: string
  readonly step: number
  readonly what?: string
}

/** A server to be killed: its functions note in a file what they did. */
const server = await startStepFunctions({
  dataDirectory,
  functions: {
    step: async ({ name, step, what, ...rest }: Given) => {
      await wait(2)
      if (step === 3 && !readFileSync(ledger, 'utf8').includes(`${name} failed\n`)) {
        appendFileSync(ledger, `${name} failed\n`)
        throw Object.assign(new Error('once'), { name: 'Flaky' })
      }
      appendFileSync(ledger, `${name} ${what ?? step}\n`)
      return { name, step: step + 1, ...rest }
    },
  },
})
process.stdout.write(`${server.endpoint}\n`)
