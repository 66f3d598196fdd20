import { readFileSync } from 'node:fs'
import type { App } from '@stepwright/app'
import { parseDefinition } from '@stepwright/asl'

/** The definitions of an app as they are deployed, by workflow: the files' own texts, or JSON of what is YAML. */
export function readDefinitions({ workflows = {}, root }: App): Record<string, string> {
  return Object.fromEntries(
    Object.entries(workflows).map(([name, { definition }]) => {
      const text = readFileSync(new URL(definition, root), 'utf8')
      const isJson = definition.endsWith('.json')
      return [name, isJson ? text : JSON.stringify(parseDefinition(text, { file: definition }).value)]
    }),
  )
}
