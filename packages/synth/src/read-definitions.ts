import { readFile } from 'node:fs/promises'
import type { AnyApp } from '@stepwright/app'
import { parseDefinition } from '@stepwright/asl'

/** The definitions of an app as they are deployed, by workflow: the files' own texts, or JSON of what is YAML. */
export async function readDefinitions({ workflows = {}, root }: AnyApp): Promise<Record<string, string>> {
  const entries = Object.entries(workflows).map(async ([name, { definition }]) => {
    const text = await readFile(new URL(definition, root), 'utf8')
    const isJson = definition.endsWith('.json')
    return [name, isJson ? text : JSON.stringify(parseDefinition(text, { file: definition }).value)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}
