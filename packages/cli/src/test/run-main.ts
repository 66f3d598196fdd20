import { main } from '../main.ts'

/** Runs the command line in a folder, without a terminal; what it printed and its exit code. */
export async function runMain(
  cwd: string,
  args: readonly string[],
): Promise<{ code: 0 | 1 | 2; out: string; error: string }> {
  const printed = { out: '', error: '' }
  const code = await main(args, {
    cwd,
    colour: false,
    out: text => {
      printed.out += text
    },
    error: text => {
      printed.error += text
    },
    interrupted: async () => {},
  })
  return { code, ...printed }
}
