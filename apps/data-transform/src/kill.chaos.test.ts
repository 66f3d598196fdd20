import { chaosRounds } from '@stepwright/bench/chaos'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectSameAfterKill } from './test/killed-run.ts'
import { type RunningTransform, startTransformApp } from './test/running-transform.ts'

const rounds = chaosRounds(0)
const states = [
  'PlanTransform',
  'Preflight',
  'glue:startJobRun',
  'PublishPartition',
  'CheckSchema',
  'DescribeTable',
  'aws-sdk:glue:updateTable',
  'aws-sdk:glue:createTable',
  'AcceptSchema',
  'SummarizeTransform',
] as const

// e2e.test.ts kills two of the states in every run of the tests, on a cloud that it has anyway.
describe.runIf(rounds > 0)('a transform whose processes are killed with SIGKILL', { timeout: 0 }, () => {
  let world: RunningTransform
  beforeAll(async () => {
    world = await startTransformApp()
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose](), 60_000)

  for (const killed of states) {
    for (const forGood of [false, true]) {
      it(`has the same rows and figures after ${killed} was killed ${forGood ? 'each time' : 'once'}, ${rounds} times`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const table_name = `${killed.toLowerCase().replaceAll(':', '-')}-${forGood}-${round}`
          await expectSameAfterKill(world, { table_name, killed, forGood })
        }
      })
    }
  }
})
