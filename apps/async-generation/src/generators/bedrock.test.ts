import { describe, expect, it } from 'vitest'
import { generationOf } from '../generation.ts'
import type { Generated, GenerationRequest, TokenUsage } from '../generator.ts'
import {
  type ConverseStub,
  type ModelFamily,
  model,
  type StubAnswer,
  startConverseStub,
  toolUse,
  words,
} from '../test/converse-stub.ts'
import { createBedrockClient, createBedrockGenerator } from './bedrock.ts'

const eight = Array.from({ length: 8 }, (_, at) => `step ${at}`)
const subgoals: GenerationRequest = { kind: 'subgoals', goal: 'Speak <b>English</b>', language: 'en' }

interface Asked {
  readonly request?: GenerationRequest
  readonly signal?: AbortSignal
  readonly effort?: string
  readonly guardrail?: string
  /** How many ask for the same at once. */
  readonly askers?: number
  /** How many times each asks. */
  readonly rounds?: number
}

/** Through the SDK's real client. */
async function ask(answers: readonly StubAnswer[], asked: Asked = {}) {
  const { outcomes, ...rest } = await askAtOnce(answers, asked)
  return { outcome: outcomes[0], ...rest }
}

async function askAtOnce(
  answers: readonly StubAnswer[],
  {
    request = subgoals,
    signal = new AbortController().signal,
    effort,
    guardrail,
    askers = 1,
    rounds = 1,
  }: Asked,
) {
  await using stub: ConverseStub = await startConverseStub(answers)
  const client = createBedrockClient({
    endpoint: stub.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'stub', secretAccessKey: 'stub' },
  })
  try {
    const generator = createBedrockGenerator({
      client,
      modelId: 'some.model-v1:0',
      maxTokens: 500,
      effort,
      guardrail,
    })
    const usage: TokenUsage[] = []
    const outcomes: (Generated | Error)[] = []
    const onUsage = (one: TokenUsage) => void usage.push(one)
    for (let round = 0; round < rounds; round += 1) {
      const asking = Array.from({ length: askers }, () =>
        generator.generate(request, { signal, onUsage }).catch((error: Error) => error),
      )
      outcomes.push(...(await Promise.all(asking)))
    }
    return { outcomes, requests: stub.requests, usage }
  } finally {
    client.destroy()
  }
}

describe('createBedrockGenerator', () => {
  const refusal = (message: string): StubAnswer => ({ status: 400, type: 'ValidationException', message })
  const noStructure = refusal('outputConfig.textFormat is not supported by this model.')
  const schema = {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'string' } } },
    required: ['items'],
    additionalProperties: false,
  }

  it('asks for structured output with the schema of the answer, and gives items and tokens', async () => {
    const { outcome, requests, usage } = await ask([words(JSON.stringify({ items: eight }), 'end_turn')])
    expect([outcome, usage]).toEqual([{ items: eight }, [{ inputTokens: 310, outputTokens: 12 }]])
    expect(requests[0]?.path).toBe('/model/some.model-v1%3A0/converse')
    expect(requests[0]?.body).toMatchObject({
      inferenceConfig: { maxTokens: 500 },
      messages: [{ role: 'user', content: [{ text: expect.stringContaining('exactly 8 sub-goals') }] }],
      outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'answer' } } } },
    })
    const sent = JSON.stringify(requests[0]?.body)
    const [, asked = ''] = /"schema":("(?:[^"\\]|\\.)*")/.exec(sent) ?? []
    expect(JSON.parse(JSON.parse(asked))).toMatchObject(schema)
    expect(sent).not.toMatch(/temperature|topP|toolConfig/)
  })

  it('asks a model without structured output for a tool with that schema', async () => {
    const { outcome, requests, usage } = await ask([noStructure, toolUse({ items: eight })])
    expect([outcome, usage]).toEqual([{ items: eight }, [{ inputTokens: 310, outputTokens: 120 }]])
    expect(requests[1]?.body).toMatchObject({
      toolConfig: {
        toolChoice: { tool: { name: 'answer' } },
        tools: [{ toolSpec: { strict: true, inputSchema: { json: schema } } }],
      },
    })
    expect(requests[1]?.body).not.toHaveProperty('outputConfig')
  })

  it.each<[ModelFamily, number]>([
    ['claude-5', 1],
    ['claude-4', 2],
    ['nova', 4],
  ])('learns what %s rejects, and asks the second time as it likes it', async (family, first) => {
    const both = await askAtOnce([model(family, { items: eight })], { effort: 'low', rounds: 2 })
    expect(both.outcomes).toEqual([{ items: eight }, { items: eight }])
    expect(both.requests).toHaveLength(first + 1)
  })

  it('asks a model that thinks without forcing the tool, where it has no structured output', async () => {
    const thinks = refusal('Thinking may not be enabled when tool_choice forces tool use.')
    const { outcome, requests } = await ask([noStructure, thinks, toolUse({ items: eight })])
    expect(outcome).toEqual({ items: eight })
    expect(requests[2]?.body).not.toHaveProperty('toolConfig.toolChoice')
    expect(requests[2]?.body).toHaveProperty('toolConfig.tools')
  })

  it('sends effort and a guardrail where they are set', async () => {
    const { requests } = await ask([toolUse({ items: eight })], { effort: 'low', guardrail: 'abc123:7' })
    expect(requests[0]?.body).toMatchObject({
      outputConfig: { effort: 'low' },
      guardrailConfig: { guardrailIdentifier: 'abc123', guardrailVersion: '7' },
    })
  })

  it('asks a model that cannot be held to a schema without, once and for all', async () => {
    const strict = refusal('This model does not support strict tools.')
    const answers = [noStructure, strict, toolUse({ items: ['one'] }), toolUse({ items: eight })]
    const { outcome, requests } = await ask(answers)
    expect(outcome).toMatchObject({ items: eight })
    const specs = requests.slice(1).map(({ body }) => JSON.stringify(body['toolConfig']))
    expect(specs.map(spec => [spec.includes('"strict":true'), spec.includes('"minItems":8')])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ])
  })

  it('asks it without for every part that was on its way at once', async () => {
    const answers = [noStructure, noStructure, noStructure, toolUse({ items: eight })]
    const { outcomes } = await askAtOnce(answers, { askers: 3 })
    expect(outcomes.map(outcome => 'items' in outcome && outcome.items)).toEqual([eight, eight, eight])
  })

  it('gives texts that the next generation takes, whatever the model writes', async () => {
    const written = ['Read\n  a book\t', 'a\u0000b', '\u001b[1mbold', 'half \ud83d', ...eight.slice(4)]
    const { outcome } = await ask([toolUse({ items: written })])
    const { items } = outcome as Generated
    expect(items).toEqual(['Read a book', 'a b', '[1mbold', 'half \ufffd', ...eight.slice(4)])
    const next = { goal: 'g', language: 'en', subgoals: [...items] }
    expect(generationOf('ACTION_GENERATION').requests(next)).toHaveLength(8)
  })

  it('keeps what a user wrote from looking like instructions', async () => {
    const { requests } = await ask([toolUse({ items: eight })])
    expect(JSON.stringify(requests[0]?.body)).toContain('<goal>Speak ＜b＞English＜/b＞</goal>')
  })

  it('asks in Japanese for Japanese', async () => {
    const request: GenerationRequest = {
      kind: 'tasks',
      goal: '目標',
      subgoal: 'サブ',
      action: '行動',
      language: 'ja',
    }
    const { outcome, requests } = await ask([toolUse({ items: ['一', '二', '三'] })], { request })
    expect(outcome).toMatchObject({ items: ['一', '二', '三'] })
    expect(JSON.stringify(requests[0]?.body)).toContain('タスクを3個から5個')
  })

  it('asks again with twice the tokens when the answer was cut off, once', async () => {
    const cut = toolUse({ items: eight.slice(0, 3) }, 'max_tokens')
    const { outcome, requests, usage } = await ask([cut, toolUse({ items: eight })])
    expect(outcome).toMatchObject({ items: eight })
    expect(usage).toEqual(Array(2).fill({ inputTokens: 310, outputTokens: 120 }))
    expect(requests.map(({ body }) => (body['inferenceConfig'] as { maxTokens: number }).maxTokens)).toEqual([
      500, 1000,
    ])
    expect((await ask([cut])).outcome).toMatchObject({ name: 'OutputTruncatedError', kind: 'business' })
  })

  it('asks again when the answer is not what it was asked for, once', async () => {
    const wrong = toolUse({ items: ['only one'] })
    expect((await ask([wrong, toolUse({ items: eight })])).outcome).toMatchObject({ items: eight })
    const { outcome, requests, usage } = await ask([wrong])
    expect(outcome).toMatchObject({ name: 'InvalidOutputError', kind: 'business' })
    expect([requests.length, usage.length]).toEqual([2, 2]) // both are paid for
  })

  it.each([
    ['words only', words('I will not help with that.', 'end_turn'), 'REFUSED', 2],
    ['a filter', words('', 'content_filtered'), 'FILTERED', 1],
    ['a guardrail', words('Sorry.', 'guardrail_intervened'), 'FILTERED', 1],
  ])('takes %s for a refusal, and asks no more', async (_, answer, code, times) => {
    const { outcome, requests } = await ask([answer])
    expect(outcome).toMatchObject({ name: 'GenerationRefusedError', kind: 'business', code })
    expect(requests).toHaveLength(times)
  })

  it('asks once more after words that are no answer, which may be a slip', async () => {
    const { outcome } = await ask([words('Sure! Here you go:', 'end_turn'), toolUse({ items: eight })])
    expect(outcome).toEqual({ items: eight })
  })

  it.each<[string, StubAnswer]>([
    ['its context is exceeded', words('', 'model_context_window_exceeded')],
    [
      'the input is too long',
      { status: 400, type: 'ValidationException', message: 'Input is too long for requested model.' },
    ],
  ])('says so when %s', async (_, answer) => {
    expect((await ask([answer])).outcome).toMatchObject({ name: 'ContextOverflowError', kind: 'business' })
  })

  const throttled: StubAnswer = { status: 429, type: 'ThrottlingException', message: 'Too many requests' }
  const broken: StubAnswer = { status: 500, type: 'InternalServerException', message: 'Internal error' }

  it('asks once when it is throttled: the state machine tries again', async () => {
    const { outcome, requests } = await ask([throttled, toolUse({ items: eight })])
    expect(outcome).toMatchObject({ name: 'ThrottlingException' })
    expect(requests).toHaveLength(1)
  })

  it.each<[string, StubAnswer, string]>([
    ['throttling that lasts', throttled, 'ThrottlingException'],
    ['errors of the service', broken, 'ServiceUnavailableException'],
    [
      'an error of the model',
      { status: 424, type: 'ModelErrorException', message: 'The model failed' },
      'ServiceUnavailableException',
    ],
    [
      'a model that is slow',
      { status: 408, type: 'ModelTimeoutException', message: 'The model timed out' },
      'ServiceUnavailableException',
    ],
    ['connections that are cut', 'cut off', 'NetworkError'],
  ])('can be retried after %s', async (_, answer, name) => {
    expect((await ask([answer])).outcome).toMatchObject({ name, kind: 'retryable' })
  })

  it('is not retried after a mistake of ours', async () => {
    const denied: StubAnswer = {
      status: 403,
      type: 'AccessDeniedException',
      message: 'no access to the model',
    }
    expect((await ask([denied])).outcome).toMatchObject({ name: 'UnexpectedError' })
  })

  it('stops with its signal', async () => {
    const stopping = new AbortController()
    const asked = ask(['never'], { signal: stopping.signal })
    setImmediate(() => stopping.abort(new Error('cancelled')))
    expect((await asked).outcome).toMatchObject({ message: 'cancelled' })
  })
})
