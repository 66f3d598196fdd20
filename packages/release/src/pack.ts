import { globSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import type { Manifest } from './manifest.ts'

const workspace = join(import.meta.dirname, '../../..')

export interface PackedPackage {
  /** The .tgz. */
  readonly tarball: string
  /** The package.json inside it. */
  readonly manifest: Manifest
  /** Every file inside it, relative to the package. */
  readonly files: readonly string[]
}

/** Builds the workspace from nothing and packs every package that is not private, as pnpm would publish it. */
export async function packPackages(destination: string): Promise<PackedPackage[]> {
  const directories = await publishableDirectories()
  for (const directory of directories) {
    await rm(join(directory, 'dist'), { recursive: true, force: true }) // or files deleted since are packed
  }
  await runCommand('pnpm', ['build'], {
    cwd: workspace,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  })
  return Promise.all(directories.map(directory => packPackage(directory, destination)))
}

async function publishableDirectories(): Promise<string[]> {
  const manifests = globSync('{packages,apps}/*/package.json', { cwd: workspace }).toSorted()
  const directories: string[] = []
  for (const path of manifests) {
    const manifest = await readManifest(join(workspace, path))
    if (!manifest.private) directories.push(join(workspace, path, '..'))
  }
  return directories
}

/** Packs one package as it is, without building it. */
export async function packPackage(directory: string, destination: string): Promise<PackedPackage> {
  const { stdout } = await runCommand('pnpm', ['pack', '--json', '--pack-destination', destination], {
    cwd: directory,
  })
  const { filename: tarball } = JSON.parse(stdout) as { filename: string }
  const unpacked = tarball.replace(/\.tgz$/, '')
  await mkdir(unpacked)
  await runCommand('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components', '1'], { cwd: destination })
  return {
    tarball,
    manifest: await readManifest(join(unpacked, 'package.json')),
    files: globSync('**', { cwd: unpacked, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(unpacked.length + 1)),
  }
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(path, 'utf8')) as Manifest
}
