import { describe, expect, it } from 'vitest'
import { read } from './generated.ts'

/** The rows of its tables of promises. */
const promises = [...read('docs/threat-model.md').matchAll(/^\| (.+?) +\| `([^`]+)`: "(.+?)" +\|$/gm)].map(
  ([, promise = '', file = '', title = '']) => ({ promise, file, title }),
)

describe('docs/threat-model.md', () => {
  it('has promises', () => {
    expect(promises.length).toBeGreaterThan(40)
  })

  it('promises nothing without a test', () => {
    const rows = read('docs/threat-model.md').split('## Promises')[1] ?? ''
    const all = [...rows.matchAll(/^\| (?!promise|-)/gm)]
    expect(all).toHaveLength(promises.length)
  })

  it.each(promises)('$promise: there is such a test', ({ file, title }) => {
    const text = read(file)
    const found = [`'${title}'`, `"${title}"`, `\`${title}\``].some(quoted => text.includes(quoted))
    expect(found, `${file} must have a test "${title}"`).toBe(true)
  })
})
