import {
  BedrockRuntimeClient,
  type BedrockRuntimeClientConfig,
  type ContentBlock,
  ConverseCommand,
  type ConverseCommandInput,
  type ConverseCommandOutput,
} from '@aws-sdk/client-bedrock-runtime'
import { NetworkError, toTaskError } from '@stepwright/errors'
import { classifyAws } from '@stepwright/errors/aws'
import { toJSONSchema } from 'zod/mini'
import {
  ContextOverflowError,
  GenerationRefusedError,
  InvalidOutputError,
  OutputTruncatedError,
} from '../errors.ts'
import { answers, type GenerationRequest, type Generator } from '../generator.ts'
import { instructions, promptOf } from './prompts.ts'

export interface BedrockGeneratorOptions {
  readonly client: Pick<BedrockRuntimeClient, 'send'>
  /** A model, an inference profile, or the ARN of a provisioned or imported model. */
  readonly modelId: string
  /** Doubled when an answer was cut off. What a model thinks counts, too. @default 4096 */
  readonly maxTokens?: number | undefined
  /** How long the model thinks: `low`, `medium`, `high`, … @default the model's own */
  readonly effort?: string | undefined
  /** The id of a guardrail and its version: `abc123:1`. @default none */
  readonly guardrail?: string | undefined
}

/** A client that calls once: the state machine retries, and both together would multiply. */
export function createBedrockClient(config: BedrockRuntimeClientConfig = {}): BedrockRuntimeClient {
  return new BedrockRuntimeClient({ ...config, maxAttempts: 1 })
}

const toolName = 'answer'

/** Fields of a request that not every model takes. What a model rejects is not sent to it again. */
interface Taken {
  /** Structured output, in place of a tool. */
  readonly structured: boolean
  /** A tool whose input is held to its schema. */
  readonly strict: boolean
  /** That the model must use the tool. */
  readonly forced: boolean
  readonly effort: boolean
}

const rejections: readonly (readonly [field: keyof Taken, about: RegExp])[] = [
  ['effort', /\beffort\b/i],
  ['structured', /output_?config|text_?format|structured output|output format|response format/i],
  ['forced', /tool_?choice|forces tool use/i],
  ['strict', /strict|schema/i],
]

/** What the model does not take any more, of what it was sent; undefined if the error is about something else. */
function withoutRejected(sent: Taken, error: unknown): Taken | undefined {
  const { name, message = '' } = error as Partial<Error>
  if (name !== 'ValidationException') return undefined
  const rejected = rejections.find(([field, about]) => sent[field] && about.test(message))
  return rejected && { ...sent, [rejected[0]]: false }
}

/**
 * Asks a model of Amazon Bedrock for an answer with the schema of the request: by structured output where the model
 * has it, otherwise by a tool. No sampling parameters are sent: current models reject them.
 */
export function createBedrockGenerator({
  client,
  modelId,
  maxTokens = 4096,
  effort,
  guardrail,
}: BedrockGeneratorOptions): Generator {
  let taken: Taken = { structured: true, strict: true, forced: true, effort: effort !== undefined }
  async function ask(
    request: GenerationRequest,
    tokens: number,
    signal: AbortSignal,
  ): Promise<ConverseCommandOutput> {
    // Another call may change it while this one is on its way.
    const sent = taken
    const asked: ConverseCommandInput = {
      ...toInput(request, tokens, sent, effort),
      modelId,
      ...(guardrail !== undefined && { guardrailConfig: toGuardrail(guardrail) }),
    }
    try {
      return await client.send(new ConverseCommand(asked), { abortSignal: signal })
    } catch (error) {
      signal.throwIfAborted()
      const left = withoutRejected(sent, error)
      if (left === undefined) throw classify(error)
      taken = left
      return ask(request, tokens, signal)
    }
  }

  return {
    async generate(request, { signal, onUsage }) {
      let tokens = maxTokens
      let problem: unknown
      // A model that was cut off, or did not keep to the schema, is asked once more.
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const output = await ask(request, tokens, signal)
        const { inputTokens = 0, outputTokens = 0 } = output.usage ?? {}
        onUsage({ inputTokens, outputTokens })
        try {
          return { items: itemsOf(request, output) }
        } catch (error) {
          const isFinal = error instanceof GenerationRefusedError && error.code === 'FILTERED'
          if (isFinal || error instanceof ContextOverflowError) throw error
          if (error instanceof OutputTruncatedError) tokens *= 2
          problem = error
        }
      }
      throw problem
    },
  }
}

function toInput(
  request: GenerationRequest,
  maxTokens: number,
  { structured, strict, forced, effort: takesEffort }: Taken,
  effort: string | undefined,
): Omit<ConverseCommandInput, 'modelId'> {
  const json = schemaOf(request, structured || strict)
  const textFormat = {
    type: 'json_schema' as const,
    structure: { jsonSchema: { name: toolName, schema: JSON.stringify(json) } },
  }
  const toolSpec = {
    name: toolName,
    description: 'Takes the answer.',
    inputSchema: { json },
    ...(strict && { strict }),
  }
  const outputConfig = {
    ...(structured && { textFormat }),
    ...(takesEffort && { effort }),
  }
  return {
    system: [{ text: instructions[request.language] }],
    messages: [{ role: 'user', content: [{ text: promptOf(request) }] }],
    inferenceConfig: { maxTokens },
    ...(Object.keys(outputConfig).length > 0 && { outputConfig }),
    ...(!structured && {
      toolConfig: {
        tools: [{ toolSpec }],
        ...(forced && { toolChoice: { tool: { name: toolName } } }),
      },
    }),
  }
}

function toGuardrail(guardrail: string): { guardrailIdentifier: string; guardrailVersion: string } {
  const [guardrailIdentifier = '', guardrailVersion = 'DRAFT'] = guardrail.split(/:(?=[^:/]*$)/)
  return { guardrailIdentifier, guardrailVersion }
}

/** Limits of length are not among what a model can be held to; they are in the question, and checked afterwards. */
const looseKeywords = ['minItems', 'maxItems', 'minLength', 'maxLength'] as const

function schemaOf({ kind }: GenerationRequest, strict: boolean): Record<string, never> {
  const { $schema: _, ...schema } = toJSONSchema(answers[kind], {
    override({ jsonSchema }) {
      if (strict) for (const keyword of looseKeywords) delete jsonSchema[keyword]
    },
  })
  return schema as unknown as Record<string, never>
}

/** @throws what the reason for which the model stopped means */
function itemsOf(
  { kind }: GenerationRequest,
  { output, stopReason }: ConverseCommandOutput,
): readonly string[] {
  switch (stopReason) {
    case 'max_tokens':
      throw new OutputTruncatedError('the model was cut off in the middle of its answer')
    case 'model_context_window_exceeded':
      throw new ContextOverflowError('the request does not fit into the context of the model')
    case 'content_filtered':
    case 'guardrail_intervened':
      throw new GenerationRefusedError('a filter refused the content', { code: 'FILTERED' })
  }
  const parsed = answers[kind].safeParse(answerOf(output?.message?.content ?? []))
  if (parsed.success) return parsed.data.items
  throw new InvalidOutputError('the answer of the model is not what it was asked for')
}

/** What the model said by the tool, or in words that are JSON. @throws GenerationRefusedError for other words */
function answerOf(content: readonly ContentBlock[]): unknown {
  const use = content.find(block => block.toolUse?.name === toolName)?.toolUse
  if (use !== undefined) return use.input
  const words = content.map(block => block.text ?? '').join('')
  try {
    return JSON.parse(words.replace(/^\s*```(?:json)?|```\s*$/g, ''))
  } catch {
    // Once may be a slip. A model that answers in words again does not want to.
    throw new GenerationRefusedError('the model does not write about this', { code: 'REFUSED' })
  }
}

/** Names of Bedrock that the usual classification of AWS's errors does not know. */
function classify(error: unknown): unknown {
  const { name = '', message = '' } = error as Partial<Error>
  if (name === 'ValidationException' && /too long|too many (input )?tokens|context/i.test(message)) {
    return new ContextOverflowError('the request does not fit into the context of the model', {
      cause: error,
    })
  }
  // The SDK could not read what there was of an answer.
  if (name === 'SyntaxError') return new NetworkError('the answer was cut off', { cause: error })
  return toTaskError(renamed(error, name), classifyAws)
}

const asUnavailable = [
  'ModelErrorException',
  'ModelNotReadyException',
  'ModelTimeoutException',
  'AbortError',
  'TimeoutError',
]

function renamed(error: unknown, name: string): unknown {
  if (name === 'ServiceQuotaExceededException') return named('ThrottlingException', error)
  return asUnavailable.includes(name) ? named('ServiceUnavailableException', error) : error
}

function named(name: string, cause: unknown): Error {
  return Object.assign(new Error(`Bedrock: ${name}`, { cause }), { name, $fault: 'server', $metadata: {} })
}
