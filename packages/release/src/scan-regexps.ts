import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { acceptedRegExps } from './accepted-regexps.ts'
import { findRegExps } from './find-regexps.ts'
import { attackOn } from './slow-regexps.ts'

const root = join(import.meta.dirname, '../../..')
/** What reads nothing but this repository's own files. */
const inside = /^(?:packages\/(?:bench|browser|docs|release)|apps\/(?:demo|deploy))\//
const tests = /\.test\.tsx?$|\/testing\.ts$|\/(?:test|bench)\//

const files = execFileSync('git', ['ls-files', '-z', 'packages', 'apps'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(file => /\.(?:[cm]?[jt]s|tsx)$/.test(file) && !inside.test(file) && !tests.test(file))

const known = new Map<string, Promise<string | undefined>>()
const unused = new Set(Object.keys(acceptedRegExps))
let checked = 0
let problems = 0
for (const file of files) {
  for (const { pattern, flags, line } of findRegExps(file, readFileSync(join(root, file), 'utf8'))) {
    checked += 1
    const key = `/${pattern}/${flags}`
    const attack = known.get(key) ?? attackOn(pattern, flags)
    known.set(key, attack)
    const found = await attack
    const place = `${file} ${key}`
    if (found === undefined || unused.delete(place) || place in acceptedRegExps) continue
    problems += 1
    process.stdout.write(`${file}:${line} ${key} is slow: ${found}\n`)
  }
}
for (const place of unused) process.stdout.write(`accepted, but not there or not slow: ${place}\n`)
process.stdout.write(`${checked} regular expressions, ${problems} of them slow\n`)
process.exit(problems + unused.size === 0 ? 0 : 1)
