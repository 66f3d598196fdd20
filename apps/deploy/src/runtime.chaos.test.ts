import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chaosRounds } from '@stepwright/bench/chaos'
import { bundleFunctions, planDeployment } from '@stepwright/synth'
import { afterAll, describe, expect, it } from 'vitest'
import { apps } from './apps.ts'

const folder = mkdtempSync(join(tmpdir(), 'stepwright-runtime-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type RunInLambda = (
  handler: string,
  events: readonly unknown[],
) => Promise<{ readonly outcomes: readonly unknown[]; readonly log: string }>

/** The stub of the Runtime API that the tests of tasks have: no package exports it. */
const runtime = new URL('../../../packages/task/test/lambda-runtime.ts', import.meta.url).href
const { runInLambda } = (await import(runtime)) as { readonly runInLambda: RunInLambda }

// A bundle takes a second: one of each kind in pnpm test, every one in pnpm chaos.
const deployed = apps.map(app => planDeployment(app).app)
const all = deployed.flatMap(app => Object.keys(app.functions).map(name => [app.name, name] as const))
const some = all.filter(([, name]) => ['StartProcessing', 'PlanTransform', 'ListCampaigns'].includes(name))

describe('a function as it is deployed', { timeout: 120_000 }, () => {
  it.each(chaosRounds(1) > 1 ? all : some)(
    '%s %s loads under the real runtime client, and answers',
    async (app, name) => {
      const declared = deployed.find(each => each.name === app)
      const bundles = bundleFunctions(declared as (typeof apps)[number], join(folder, app), [name])
      const { outcomes, log } = await runInLambda(join(bundles[name]?.directory ?? '', 'index.mjs#handler'), [
        {},
      ])
      // Without settings it cannot do its work, and says so by an error that state machines know.
      expect(outcomes, log).toHaveLength(1)
      const [outcome] = outcomes
      const said = JSON.stringify(outcome)
      expect(said).not.toMatch(
        /Runtime\.(ImportModuleError|HandlerNotFound|UserCodeSyntaxError)|SyntaxError|Dynamic require/,
      )
      expect(said).toMatch(/errorType|statusCode|result/)
    },
  )
})
