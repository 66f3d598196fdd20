import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '../command.ts'

/** Other runtimes, where npm has their programs as packages that need no install script. */
const runtimes = {
  'linux x64': { bun: '@oven/bun-linux-x64', deno: '@deno/linux-x64-glibc' },
  'linux arm64': { bun: '@oven/bun-linux-aarch64', deno: '@deno/linux-arm64-glibc' },
  'darwin x64': { bun: '@oven/bun-darwin-x64', deno: '@deno/darwin-x64' },
  'darwin arm64': { bun: '@oven/bun-darwin-aarch64', deno: '@deno/darwin-arm64' },
} as const
const versions = { jest: '30.5.2', bun: '1.4.4', deno: '2.9.6' } as const

function packagesHere(): { readonly bun: string; readonly deno: string } | undefined {
  return runtimes[`${process.platform} ${process.arch}` as keyof typeof runtimes]
}

/** Puts Jest, and Bun and Deno where there are any, into a folder of their own. */
export async function installTools(directory: string): Promise<void> {
  const here = packagesHere()
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: {
        jest: versions.jest,
        ...(here && { [here.bun]: versions.bun, [here.deno]: versions.deno }),
      },
    }),
  )
  await runCommand('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory })
}

/** The program and its arguments before a script's name; undefined where there is none. */
export function runtimeCommand(
  directory: string,
  runtime: 'node' | 'bun' | 'deno',
): readonly string[] | undefined {
  if (runtime === 'node') return [process.execPath]
  const here = packagesHere()
  if (here === undefined) return undefined
  const program = (name: string) => join(directory, 'node_modules', name)
  return runtime === 'bun'
    ? [program(`${here.bun}/bin/bun`)]
    : [program(`${here.deno}/deno`), 'run', '--allow-all', '--quiet', '--node-modules-dir=manual']
}
