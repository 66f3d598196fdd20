import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { defineBusinessError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { carryTrace, traceTask } from '@stepwright/task/tracing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'

class OutOfStock extends defineBusinessError('OutOfStock') {}

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const tracer = provider.getTracer('test')

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
})

afterAll(() => {
  context.disable()
  propagation.disable()
  trace.disable()
})

const reserve = traceTask(
  defineTask({
    name: 'reserve',
    input: z.strictObject({ sku: z.string() }),
    output: z.object({ traceId: z.optional(z.string()) }),
    errors: [OutOfStock],
    async run({ sku }) {
      if (sku === '') throw new OutOfStock('of ann@example.com', { details: { email: 'ann@example.com' } })
      return { traceId: trace.getActiveSpan()?.spanContext().traceId }
    },
  }),
)

it('runs in a span of the trace that its input carries', async () => {
  exporter.reset()
  const { input, traceId, spanId } = tracer.startActiveSpan('starts an execution', span => {
    const carried = { input: carryTrace({ sku: 'A1' }), ...span.spanContext() }
    span.end()
    return carried
  })
  expect(await reserve.run(JSON.parse(JSON.stringify(input)))).toEqual({ traceId })
  const span = exporter.getFinishedSpans().find(({ name }) => name === 'reserve')
  expect(span?.parentSpanContext).toMatchObject({ traceId, spanId, isRemote: true })
})

it('names the error and its kind, and nothing that may be private', async () => {
  exporter.reset()
  await expect(reserve.run({ sku: '' })).rejects.toMatchObject({ name: 'OutOfStock' })
  const [span] = exporter.getFinishedSpans()
  expect(span?.attributes).toEqual({ 'error.type': 'OutOfStock', 'stepwright.error.kind': 'business' })
  expect(JSON.stringify([span?.attributes, span?.status, span?.events])).not.toContain('ann@')
})

it('begins a trace of its own where the input carries none', async () => {
  exporter.reset()
  await reserve.run({ sku: 'A1' })
  const [span] = exporter.getFinishedSpans()
  expect(span?.parentSpanContext).toBeUndefined()
})
