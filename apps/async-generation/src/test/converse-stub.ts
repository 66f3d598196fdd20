import { once } from 'node:events'
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What the stub answers one request with, in the shapes that Bedrock was seen to answer with. */
export type StubAnswer =
  | { readonly output: object }
  | { readonly status: number; readonly type: string; readonly message: string }
  /** Half of an answer, then the connection is cut. */
  | 'cut off'
  /** No answer at all. */
  | 'never'
  /** Whatever the request makes of it. */
  | ((body: ConverseRequest['body']) => StubAnswer)

export interface ConverseRequest {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface ConverseStub extends AsyncDisposable {
  readonly endpoint: string
  readonly requests: readonly ConverseRequest[]
}

/** Speaks the protocol of Bedrock's Converse: each request gets the next answer, then always the last. */
export async function startConverseStub(answers: readonly StubAnswer[]): Promise<ConverseStub> {
  const requests: ConverseRequest[] = []
  const sessions = new Set<ServerHttp2Session>()
  // The SDK's client for Bedrock speaks HTTP/2.
  const server = createServer(async (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)] as StubAnswer
    const asked = { path: String(request.url), body: JSON.parse(await text(request)) }
    requests.push(asked)
    respond(response, typeof answer === 'function' ? answer(asked.body) : answer)
  }).listen(0, '127.0.0.1')
  server.on('session', session => sessions.add(session))
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function respond(response: Http2ServerResponse, answer: StubAnswer): void {
  if (typeof answer === 'function') return
  const headers = { 'content-type': 'application/json', 'x-amzn-requestid': 'stub' }
  if (answer === 'never') return
  if (answer === 'cut off') {
    response.writeHead(200, headers)
    response.write(
      '{"metrics":{"latencyMs":10},"output":{"message":{"content":[{"toolUse":{"input":{"items":["one",',
    )
    setImmediate(() => response.stream.session?.destroy())
  } else if ('output' in answer) {
    response.writeHead(200, headers).end(JSON.stringify(answer.output))
  } else {
    response
      .writeHead(answer.status, {
        ...headers,
        'x-amzn-errortype': `${answer.type}:http://internal.amazon.com/`,
      })
      .end(JSON.stringify({ message: answer.message }))
  }
}

/** The model uses the tool, as it must. */
export function toolUse(input: unknown, stopReason = 'tool_use'): { readonly output: object } {
  return {
    output: {
      metrics: { latencyMs: 812 },
      output: {
        message: {
          role: 'assistant',
          content: [
            { text: 'Here is the answer.' },
            { toolUse: { toolUseId: 'tooluse_1', name: 'answer', input } },
          ],
        },
      },
      stopReason,
      usage: { inputTokens: 310, outputTokens: 120, totalTokens: 430 },
    },
  }
}

/** The model answers in words only. */
export function words(content: string, stopReason: string): { readonly output: object } {
  return {
    output: {
      metrics: { latencyMs: 301 },
      output: { message: { role: 'assistant', content: [{ text: content }] } },
      stopReason,
      usage: { inputTokens: 310, outputTokens: 12, totalTokens: 322 },
    },
  }
}

/** Fields that a family of models rejects, as documented, and in which words. */
const families = {
  /** Claude Sonnet 5, Opus 4.7 and later think by themselves. */
  'claude-5': {
    temperature: '`temperature` is deprecated for this model.',
    toolChoice: 'Thinking may not be enabled when tool_choice forces tool use.',
  },
  /** Claude 4.5 and 4.6 take all of it, except effort. */
  'claude-4': { effort: 'This model does not support the effort parameter.' },
  /** Amazon Nova and others have tools only. */
  nova: {
    textFormat: 'This model does not support structured output: outputConfig.textFormat.',
    strict: 'This model does not support strict tools.',
    effort: 'This model does not support the effort parameter.',
  },
} as const

export type ModelFamily = keyof typeof families

/** A model of a family: rejects what it does not take, and otherwise answers by what it was asked by. */
export function model(family: ModelFamily, input: unknown): StubAnswer {
  return body => {
    const sent = JSON.stringify(body)
    const rejected = Object.entries(families[family]).find(([field]) => sent.includes(`"${field}"`))
    if (rejected) {
      const message = `The model returned the following errors: ${rejected[1]}`
      return { status: 400, type: 'ValidationException', message }
    }
    return sent.includes('"textFormat"') ? words(JSON.stringify(input), 'end_turn') : toolUse(input)
  }
}
