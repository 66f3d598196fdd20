import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compileCacheDirectory } from './compile-cache.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'stepwright-home-'))
})
afterEach(() => rmSync(home, { recursive: true }))

describe('compileCacheDirectory', () => {
  it('is a directory of this user, which nobody else can enter', () => {
    const directory = compileCacheDirectory({}, home)
    expect(directory).toBe(join(home, '.cache/stepwright/compile-cache'))
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(compileCacheDirectory({}, home)).toBe(directory)
  })

  it('goes by the environment', () => {
    const cache = join(home, 'elsewhere')
    expect(compileCacheDirectory({ XDG_CACHE_HOME: cache }, home)).toBe(
      join(cache, 'stepwright/compile-cache'),
    )
    expect(compileCacheDirectory({ NODE_COMPILE_CACHE: 'mine' }, home)).toBe('mine')
  })

  const takeOver: Readonly<Record<string, (directory: string) => void>> = {
    'that others can write to': directory => chmodSync(directory, 0o777),
    'that is a link': directory => {
      rmSync(directory, { recursive: true })
      mkdirSync(join(home, 'theirs'), { recursive: true })
      symlinkSync(join(home, 'theirs'), directory)
    },
    // Only root can give a directory away.
    ...(process.getuid?.() === 0 && {
      'that another user owns': directory => chownSync(directory, 65534, 65534),
    }),
  }
  it.each(Object.entries(takeOver))('does not use a directory %s', (_, change) => {
    const environment = { TMPDIR: home }
    const first = compileCacheDirectory(environment, home)
    change(first)
    const second = compileCacheDirectory(environment, home)
    expect(second).toBe(join(home, `stepwright-compile-cache-${process.getuid?.() ?? ''}`))
    expect(compileCacheDirectory(environment, home)).toBe(second)
    change(second)
    const third = compileCacheDirectory(environment, home)
    expect([first, second]).not.toContain(third)
    expect(statSync(third).mode & 0o777).toBe(0o700)
    rmSync(third, { recursive: true })
  })
})
