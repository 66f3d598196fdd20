import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { scopeOf } from './manifest.ts'
import type { PackedPackage } from './pack.ts'

/** Publishing would have gone to a registry other than the loopback one. Nothing was published. */
export class PublishTargetError extends Error {
  override readonly name = 'PublishTargetError'
}

/**
 * Publishes to the registry on loopback that the `.npmrc` in `directory` routes the packages' scope to, and packages without one.
 * Every target is asked of pnpm beforehand, and the first that is not `registryUrl` stops it all.
 */
export async function publishToLoopback(
  packages: readonly Pick<PackedPackage, 'tarball' | 'manifest'>[],
  { directory, registryUrl }: { readonly directory: string; readonly registryUrl: string },
): Promise<void> {
  if (new URL(registryUrl).hostname !== '127.0.0.1') {
    throw new PublishTargetError(`${registryUrl} is not on loopback`)
  }
  const env = await fencedEnvironment(directory, registryUrl)
  const pnpm = async (...args: string[]) => (await runCommand('pnpm', args, { cwd: directory, env })).stdout

  for (const { manifest, tarball } of packages) {
    const scope = scopeOf(manifest)
    const route = (await pnpm('config', 'get', scope === undefined ? 'registry' : `${scope}:registry`)).trim()
    refuseOther(route, `the registry of ${scope ?? manifest.name} in ${directory}`)
    const announced = await pnpm('publish', '--no-git-checks', '--dry-run', tarball)
    refuseOther(/→ (\S+)/.exec(announced)?.[1], `the target of ${manifest.name}`)
  }
  for (const { tarball } of packages) await pnpm('publish', '--no-git-checks', tarball)

  function refuseOther(target: string | undefined, what: string): void {
    if (target === registryUrl) return
    throw new PublishTargetError(`${what} is ${target ?? 'unknown'}, not ${registryUrl}`)
  }
}

/**
 * An environment in which pnpm has no credentials, no configuration but that of its directory, and no way to
 * any host but the registry: that is its proxy too, and does not forward.
 */
export async function fencedEnvironment(directory: string, registryUrl: string): Promise<NodeJS.ProcessEnv> {
  const home = join(directory, 'home')
  await mkdir(home, { recursive: true })
  return {
    PATH: process.env['PATH'],
    HOME: home,
    CI: 'true',
    HTTP_PROXY: registryUrl,
    HTTPS_PROXY: registryUrl,
    NO_PROXY: '127.0.0.1',
  }
}
