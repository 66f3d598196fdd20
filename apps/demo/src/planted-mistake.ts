import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { checkWorkflow, parseDefinition } from '@stepwright/asl'
import { app } from '@stepwright/campaign-import'
import type { Screen } from './screen.ts'

/** One letter, as a tired hand leaves it out. Step Functions accepts it, and never retries. */
const planted = { right: '"DatabaseConnectionError"', wrong: '"DatabaseConectionError"' } as const

/** The checker finds in a definition what no deployment would. Every claim it prints, it also asserts. */
export async function showPlantedMistake({ title, line }: Screen): Promise<void> {
  title('5. The checker: the import as it is, and with a letter less in a retrier')
  const { definition, input } = app.workflows?.import ?? assert.fail('there is an import')
  const text = await readFile(new URL(definition, app.root), 'utf8')
  const tasks = Object.fromEntries(Object.entries(app.functions).map(([name, { task }]) => [name, task]))
  const check = (checked: string) =>
    checkWorkflow(parseDefinition(checked, { file: definition }), {
      tasks,
      ...(input && { input }),
      ...(app.toJsonSchema && { toJsonSchema: app.toJsonSchema }),
    }).filter(({ severity }) => severity === 'error')
  assert.deepEqual(check(text), [])
  line(`${definition}: nothing found`)
  const found = check(text.replace(planted.right, planted.wrong))
  assert.equal(found[0]?.rule, 'names/unknown-error')
  assert.match(found[0]?.suggestion ?? '', /DatabaseConnectionError/)
  for (const { file, line: at, column, rule, message, suggestion } of found.slice(0, 2)) {
    line(`${file}:${at}:${column}  ${rule}`)
    line(`  ${message}`)
    if (suggestion !== undefined) line(`  → ${suggestion}`)
  }
}
