import { parseJson } from './parse-json.ts'
import { parseYaml } from './parse-yaml.ts'
import type { Source } from './source.ts'

export interface ParseOptions {
  /** The file's name; its extension chooses the format. @default 'definition' */
  readonly file?: string
  /** @default by the file's extension: `.yaml`, `.yml`, `.jsonc`; `.template` by its first character; otherwise JSON */
  readonly format?: 'json' | 'jsonc' | 'yaml'
}

/** Reads a definition and keeps where everything stands. Never throws: see `problems`. */
export function parseDefinition(text: string, options: ParseOptions = {}): Source {
  const { file = 'definition', format = formatOf(file, text) } = options
  return format === 'yaml'
    ? parseYaml(text, { file })
    : parseJson(text, { file, comments: format === 'jsonc' })
}

function formatOf(file: string, text: string): 'json' | 'jsonc' | 'yaml' {
  if (/\.ya?ml$/i.test(file)) return 'yaml'
  // CloudFormation takes either in a file of this name
  if (/\.template$/i.test(file)) return /^\s*\{/.test(text) ? 'json' : 'yaml'
  return /\.jsonc$/i.test(file) ? 'jsonc' : 'json'
}
