import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './test/run-main.ts'

const machine = `{
  "StartAt": "Check",
  "States": {
    "Check": {
      "Type": "Choice",
      "Choices": [{ "Variable": "$.n", "NumericGreaterThan": 1, "Next": "Big" }],
      "Default": "Small"
    },
    "Big": { "Type": "Map", "ItemProcessor": { "StartAt": "Each", "States": { "Each": { "Type": "Succeed" } } }, "Next": "Done" },
    "Small": { "Type": "Pass", "Next": "Wait" },
    "Wait": { "Type": "Wait", "Seconds": 1, "Next": "Done" },
    "Done": { "Type": "Succeed" }
  }
}
`
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright consequences '))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The first line of each finding. */
async function check(text: string): Promise<readonly string[]> {
  writeFileSync(join(folder, 'a.asl.json'), text)
  const { out } = await runMain(folder, ['check'])
  return out.split('\n').filter(line => /^(error|warning|note) /.test(line))
}

describe('stepwright check', () => {
  it.each([
    ['a name in Default', '"Default": "Small"', '"Default": "Smal"', 'There is no state "Smal" here.'],
    ['Next', '"Next": "Wait"', '"Nxt": "Wait"', "The field 'Nxt' is not supported here"],
    ['Choices', '"Choices"', '"Choises"', "The field 'Choises' is not supported here"],
  ])('reports one error for a typo in %s', async (_, right, wrong, message) => {
    const found = await check(machine.replace(right, wrong))
    expect(found.filter(line => line.startsWith('error'))).toEqual([`error ${message}`])
  })

  it('reports a state that is not reachable, also beside a typo among the states of a Map', async () => {
    const lost = machine.replace('"Default": "Small"', '"Default": "Wait"')
    expect(await check(lost)).toContain('error State "Small" is not reachable.')
    expect(await check(lost.replace('"Type": "Succeed" } }', '"Type": "Pass", "Next": "Eac" } }'))).toEqual(
      expect.arrayContaining([
        'error There is no state "Eac" here.',
        'error State "Small" is not reachable.',
      ]),
    )
  })

  it('shows errors before warnings and notes', async () => {
    const found = await check(
      machine.replace('"Next": "Done" },\n    "Small"', '"Next": "Don" },\n    "Small"'),
    )
    const ranks = found.map(line => ['error', 'warning', 'note'].indexOf(line.split(' ')[0] ?? ''))
    expect(new Set(ranks).size).toBeGreaterThan(1)
    expect(ranks).toEqual(ranks.toSorted())
  })
})
