import { describe, expect, it } from 'vitest'
import { answers, type GenerationRequest, type TokenUsage } from '../generator.ts'
import { createLocalGenerator, type LocalScript } from './local.ts'

const usage: TokenUsage[] = []
const options = {
  signal: new AbortController().signal,
  onUsage: (one: TokenUsage) => void usage.push(one),
}
const requests: readonly GenerationRequest[] = (['ja', 'en'] as const).flatMap(language => [
  { kind: 'subgoals', goal: 'goal', language },
  { kind: 'actions', goal: 'goal', subgoal: 'a sub-goal', language },
  { kind: 'tasks', goal: 'goal', subgoal: 'a sub-goal', action: 'an action', language },
])

async function ask(script: LocalScript, random = () => 0.5, request = requests[0] as GenerationRequest) {
  const slept: number[] = []
  const generator = createLocalGenerator({ script, random, sleep: async ms => void slept.push(ms) })
  const generate = () => generator.generate(request, options).catch((error: Error) => error.name)
  return { generate, slept }
}

describe('createLocalGenerator', () => {
  it.each(requests)('gives the same texts for the same request: $kind in $language', async request => {
    const [first, again] = await Promise.all(
      [1, 2].map(() => createLocalGenerator().generate(request, options)),
    )
    expect(first).toEqual(again)
    expect(answers[request.kind].parse(first)).toEqual({ items: first?.items })
    expect(/[ぁ-ん]/.test(first?.items.join('') ?? '')).toBe(request.language === 'ja')
    expect(usage[0]?.outputTokens).toBeGreaterThan(0)
  })

  it('is as slow as it is told', async () => {
    const { generate, slept } = await ask({ latencyMs: 70 })
    await generate()
    const slow = await ask({ latencyMs: 70, latencies: [{ text: 'goal', ms: 900 }] })
    await slow.generate()
    expect([slept, slow.slept]).toEqual([[70], [900]])
  })

  it('fails as often as it is told', async () => {
    const failures = { ThrottlingException: 0.2, NetworkError: 0.1 }
    const at = async (drawn: number) => (await ask({ failures }, () => drawn)).generate()
    expect(await at(0.1)).toBe('ThrottlingException')
    expect(await at(0.25)).toBe('NetworkError')
    expect(await at(0.35)).toMatchObject({ items: expect.any(Array) })
  })

  it('fails for a text a few times, and then no more', async () => {
    const rule = { text: 'goal', error: 'ServiceUnavailableException', times: 2 } as const
    const { generate } = await ask({ failing: [{ ...rule, text: 'elsewhere' }, rule] })
    expect([await generate(), await generate(), typeof (await generate())]).toEqual([
      'ServiceUnavailableException',
      'ServiceUnavailableException',
      'object',
    ])
  })
})
