import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

function read(...path: string[]): string {
  return readFileSync(join(import.meta.dirname, ...path), 'utf8')
}

describe('docs/testing-without-aws.md', () => {
  it.each([
    ['reserve-stock.ts', 'ts'],
    ['order.asl.json', 'json'],
    ['order.test.ts', 'ts'],
  ])('shows %s as it is tested here', (file, language) => {
    const shown = `\`\`\`${language}\n// ${file}\n`.replace(language === 'json' ? `// ${file}\n` : '', '')
    expect(read('../../../../docs/testing-without-aws.md')).toContain(`${shown}${read(file)}\`\`\``)
  })
})
