import { describe, expect, it } from 'vitest'
import { compileTemplate } from './template.ts'

describe('compileTemplate', () => {
  it('keeps a key that is called __proto__', () => {
    const template = JSON.parse('{ "__proto__.$": "$.a", "b": { "__proto__": 1, "c.$": "$.a" } }')
    const made = compileTemplate(template)({
      input: { a: 'x' },
      variables: {},
      context: () => ({}),
      chance: { random: () => 0.5, uuid: () => 'a-uuid' },
    })
    expect(JSON.stringify(made)).toBe('{"__proto__":"x","b":{"__proto__":1,"c":"x"}}')
  })
})
