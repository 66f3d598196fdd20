import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { CommandError, runCommand } from './command.ts'
import type { PackedPackage } from './pack.ts'
import { tarballProblems, tarballShortcomings } from './tarball-problems.ts'

const attw = fileURLToPath(
  new URL('dist/index.js', import.meta.resolve('@arethetypeswrong/cli/package.json')),
)

/** Everything that publint (strict), attw (for ES modules only) and we ourselves have against a tarball. */
export async function lintTarball({ tarball, manifest, files }: PackedPackage): Promise<string[]> {
  return [
    ...tarballProblems(manifest, files),
    ...tarballShortcomings(manifest, files),
    ...(await publintProblems(tarball)),
    ...(await typeProblems(tarball)),
  ]
}

async function publintProblems(tarball: string): Promise<string[]> {
  const { buffer } = new Uint8Array(await readFile(tarball))
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } })
  return messages.map(
    message => `publint: ${formatMessage(message, pkg ?? {}, { color: false }) ?? message.code}`,
  )
}

async function typeProblems(tarball: string): Promise<string[]> {
  const args = ['--profile', 'esm-only', '--no-color', '--no-emoji', '--format', 'ascii', tarball]
  try {
    await runCommand(process.execPath, [attw, ...args], { cwd: dirname(tarball) })
    return []
  } catch (error) {
    if (error instanceof CommandError) return [`attw: ${error.message}`]
    throw error
  }
}
