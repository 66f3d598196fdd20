import { describe, expect, it } from 'vitest'
import { jsonSchemas } from './json-schemas.ts'

describe('docs/*.schema.json', () => {
  it.each(Object.entries(jsonSchemas()))(
    '%s is as the schemas of the code say; -u writes it',
    async (name, schema) => {
      await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`../docs/${name}.schema.json`)
    },
  )
})
