import { join } from 'node:path'
import { checkWorkflow } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { describeHandler } from './catalogue.ts'
import { root } from './generated.ts'
import { bindingModules, handlers, taskModules } from './handlers.ts'

const all = Object.entries(handlers).flatMap(([packageName, tasks]) =>
  Object.entries(tasks).map(([name, task]) => ({ packageName, name, task })),
)

const intro = `# The handlers

What the packages offer under \`./tasks\`: import one, give each of its ports a binding, and export the function: \`export const SplitCsv = lambda(splitCsv(), { storeOf })\`. People without an app use \`toLambdaHandler(task, { ports })\`. Each has a contract that can be read without a database. A test writes this page from the code.`

describe('docs/handlers.md', () => {
  it('describes every handler by its code', async () => {
    const sections = Object.entries(handlers).flatMap(([packageName, tasks]) => [
      `## @stepwright/${packageName}`,
      describeBindings(packageName),
      ...Object.entries(tasks).map(([name, task]) => describeHandler(packageName, name, task)),
    ])
    const page = `${[intro, ...sections].join('\n\n')}\n`
    await expect(page).toMatchFileSnapshot(join(root, 'docs/handlers.md'))
  })

  it.each(Object.keys(taskModules))('leaves out nothing that %s offers', packageName => {
    const module = taskModules[packageName] ?? {}
    const offered = Object.entries(module).filter(([name, value]) => isHandler(name, value))
    const described = Object.keys(handlers[packageName] ?? {})
    expect(described.sort()).toEqual(offered.map(([name]) => name).sort())
  })

  it.each(all)('$name says what it does, and which ports and permissions it needs', ({ task }) => {
    expect(task.description).toMatch(/^[A-Z].*\.$/)
    expect(Object.keys(task.needs?.ports ?? {}).length).toBeGreaterThan(0)
  })

  it.each(all)('$name has an example state that deploys', ({ packageName, name, task }) => {
    const [, json = ''] = /```json\n(.*?)```/s.exec(describeHandler(packageName, name, task)) ?? []
    const [state = ''] = Object.keys(JSON.parse(json))
    const machine = {
      StartAt: state,
      TimeoutSeconds: 600,
      States: { ...JSON.parse(json), Then: { Type: 'Succeed' } },
    }
    const found = checkWorkflow(machine, { tasks: { [state]: task } })
    const wrong = found.filter(({ rule }) => /^(valid|kinds|names)\//.test(rule))
    expect(wrong).toEqual([])
  })
})

function describeBindings(packageName: string): string {
  const names = Object.keys(bindingModules[packageName] ?? {}).toSorted()
  return `Bindings: ${names.map(name => `\`${name}\``).join(', ')} of \`@stepwright/${packageName}/bindings\`.`
}

/** What stands beside the handlers, for those who compose them. */
const beside = new Set([
  'createChunkReader',
  'readManifest',
  'readMapResults',
  'toChunkName',
  'toEntries',
  'toFileError',
  'toUploadPrefix',
])

/** A task, or a function that makes one of its options. */
function isHandler(name: string, value: unknown): boolean {
  if (typeof value === 'function') return !beside.has(name)
  return typeof value === 'object' && value !== null && 'run' in value && 'errors' in value
}
