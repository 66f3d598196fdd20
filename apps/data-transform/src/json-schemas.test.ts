import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { jsonSchemas } from './test/json-schemas.ts'

describe('docs/*.schema.json', () => {
  it.each(Object.entries(jsonSchemas()))('%s is what the schemas of the code say', async (name, schema) => {
    const written = await readFile(new URL(`../docs/${name}.schema.json`, import.meta.url), 'utf8')
    expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(schema)))
  })
})
