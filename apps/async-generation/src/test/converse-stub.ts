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
    requests.push({ path: String(request.url), body: JSON.parse(await text(request)) })
    respond(response, answer)
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
