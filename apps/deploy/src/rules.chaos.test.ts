import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chaosRounds } from '@stepwright/bench/chaos'
import { describe, expect, it } from 'vitest'

// The rules of cdk-nag and the schemas of all stacks take 15 s: only where many rounds are asked for.
describe.runIf(chaosRounds(1) > 1)('every stack, in dev and prod (in pnpm chaos only)', () => {
  it('breaks no rule of cdk-nag without a reason, and is a valid template', {
    timeout: 300_000,
  }, async () => {
    const { App, Validations } = await import('aws-cdk-lib')
    const { AwsSolutionsChecks } = await import('cdk-nag')
    const { CelEngine, TemplateFile } = await import('@aws/cloudformation-validate')
    const { createStacks } = await import('./create-stacks.ts')
    const folder = mkdtempSync(join(tmpdir(), 'stepwright-rules-'))
    const engine = new CelEngine()
    try {
      const outdir = join(folder, 'cdk.out')
      const code = join(folder, 'code')
      mkdirSync(code)
      writeFileSync(join(code, 'index.mjs'), 'export const handler = () => null\n')
      const app = new App({ outdir, analyticsReporting: false })
      const stacks = createStacks(app, { codeOf: () => code })
      Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
      app.synth() // fails for what is not acknowledged
      const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'))
      expect(report.pluginReports).toEqual([])
      for (const { stackName } of stacks) {
        const template = new TemplateFile(join(outdir, `${stackName}.template.json`))
        const { diagnostics } = engine.validateStandard(template, { severityLevel: 'WARN' })
        expect(diagnostics.map(({ ruleId, message }) => `${stackName} ${ruleId}: ${message}`)).toEqual([])
      }
    } finally {
      engine.free()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
