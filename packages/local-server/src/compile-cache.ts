import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Where function processes keep compiled modules, so that the next process need not compile them. Node runs what it
 * finds there, so it is a directory that only this user can write to: below `XDG_CACHE_HOME` or `~/.cache`, otherwise
 * below the temporary directory. `NODE_COMPILE_CACHE` names another.
 */
export function compileCacheDirectory(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): string {
  const named = environment['NODE_COMPILE_CACHE']
  if (named !== undefined && named !== '') return named
  const places = [
    join(environment['XDG_CACHE_HOME'] || join(home, '.cache'), 'stepwright', 'compile-cache'),
    join(environment['TMPDIR'] || tmpdir(), `stepwright-compile-cache-${process.getuid?.() ?? ''}`),
  ]
  return places.find(isOurs) ?? mkdtempSync(join(tmpdir(), 'stepwright-compile-cache-'))
}

function isOurs(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const found = lstatSync(directory)
    const writableByOthers = 0o022
    return (
      found.isDirectory() &&
      found.uid === (process.getuid?.() ?? found.uid) &&
      (found.mode & writableByOthers) === 0
    )
  } catch {
    return false
  }
}
