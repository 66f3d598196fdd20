import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { closest } from '@stepwright/errors/spelling'
import { UsageError } from './io.ts'

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: boolean; options: Options }>
>

const help = { help: { type: 'boolean', short: 'h', default: false } } as const

/**
 * Reads a command's options, and `--help` besides them.
 * @throws UsageError that says what was probably meant, with the usage
 */
export function readOptions<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  usage: string,
  options: Options,
  { positionals = false }: { readonly positionals?: boolean } = {},
): Parsed<Options & typeof help> {
  const known = { ...options, ...help }
  try {
    return parseArgs({ args: [...args], allowPositionals: positionals, options: known }) as Parsed<
      Options & typeof help
    >
  } catch (error) {
    const { message } = error as Error
    const unknown = /^Unknown option '--([^']*)'/.exec(message)?.[1]
    const meant = unknown === undefined ? undefined : closest(unknown, Object.keys(known))
    const said = unknown === undefined ? message : `There is no option --${unknown}.`
    const hint = meant === undefined ? '' : ` Did you mean --${meant}?`
    throw new UsageError(`${said}${hint}\n\n${usage}`, { cause: error })
  }
}
