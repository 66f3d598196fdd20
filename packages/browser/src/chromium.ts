import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const cacheDirectory = join(import.meta.dirname, '../../../.cache')

/** Where a browser is, and the libraries that it can fall back on. */
export interface Chromium {
  readonly executablePath: string
  readonly libraryPath?: string
}

/** Why this machine has no browser for tests, in words; `undefined` where it has one. */
export function whyNoBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = environment['CHROMIUM_PATH']
  if (chosen) return existsSync(chosen) ? undefined : `CHROMIUM_PATH names ${chosen}, which does not exist`
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `@sparticuz/chromium runs on Linux x64 only, not on ${process.platform} ${process.arch}; set CHROMIUM_PATH to a Chromium or Chrome`
  try {
    chromiumPackage()
    return undefined
  } catch {
    return '@sparticuz/chromium is not installed (it is an optional dependency); set CHROMIUM_PATH to a Chromium or Chrome'
  }
}

/** The browser of `CHROMIUM_PATH`, or the one from npm, unpacked once for each version. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): Chromium {
  const reason = whyNoBrowser(environment)
  if (reason !== undefined) throw new Error(`There is no browser for tests: ${reason}`)
  const chosen = environment['CHROMIUM_PATH']
  if (chosen) return { executablePath: chosen }
  const { entry, version } = chromiumPackage()
  const directory = join(cacheDirectory, `chromium-${version}`)
  if (!existsSync(directory)) unpack(entry, directory)
  return { executablePath: join(directory, 'chromium'), libraryPath: join(directory, 'al2023/lib') }
}

function chromiumPackage(): { entry: string; version: string } {
  const { resolve } = createRequire(import.meta.url)
  const entry = import.meta.resolve('@sparticuz/chromium')
  const { version } = createRequire(import.meta.url)(
    resolve('@sparticuz/chromium').replace(/build.*$/, 'package.json'),
  ) as { version: string }
  return { entry, version }
}

/**
 * The package unpacks into the temporary directory and takes what lies there for finished, so that two
 * test files starting at once would run half a browser. Each unpacks apart, and the first one is kept.
 */
function unpack(entry: string, directory: string): void {
  const unfinished = `${directory}.${process.pid}.part`
  mkdirSync(unfinished, { recursive: true })
  try {
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `await (await import(${JSON.stringify(entry)})).default.executablePath()`,
      ],
      { env: { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' } },
    )
    renameSync(unfinished, directory)
  } catch (error) {
    if (!existsSync(directory)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}
