import {
  BedrockRuntimeClient,
  type BedrockRuntimeClientConfig,
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
import {
  answers,
  type Generated,
  type GenerateOptions,
  type GenerationRequest,
  type Generator,
} from '../generator.ts'
import { instructions, promptOf } from './prompts.ts'

export interface BedrockGeneratorOptions {
  readonly client: Pick<BedrockRuntimeClient, 'send'>
  readonly modelId: string
  /** Doubled when an answer was cut off. @default 1024 */
  readonly maxTokens?: number
  /** How long one call may take, if there is as much time. @default 60_000 */
  readonly maxCallMs?: number
  /** Whether the model is held to the schema; one that cannot be is asked without from then on. @default true */
  readonly strict?: boolean
}

/** A client that calls once: the state machine retries, and both together would multiply. */
export function createBedrockClient(config: BedrockRuntimeClientConfig = {}): BedrockRuntimeClient {
  return new BedrockRuntimeClient({ ...config, maxAttempts: 1 })
}

const toolName = 'answer'
/** Less is not worth asking for: a call that was begun is paid for. */
const minCallMs = 1000

/** Asks a model of Amazon Bedrock, which must answer by a tool whose input has the schema of the request. */
export function createBedrockGenerator({
  client,
  modelId,
  maxTokens = 1024,
  maxCallMs = 60_000,
  strict = true,
}: BedrockGeneratorOptions): Generator {
  let isStrict = strict
  async function ask(
    request: GenerationRequest,
    tokens: number,
    { signal, remainingMs }: GenerateOptions,
  ): Promise<ConverseCommandOutput> {
    // Another call may change it while this one is on its way.
    const wasStrict = isStrict
    const asked = toInput(modelId, request, tokens, wasStrict)
    const budgetMs = Math.min(maxCallMs, Math.max(minCallMs, remainingMs()))
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(budgetMs)])
    try {
      return await client.send(new ConverseCommand(asked), { abortSignal })
    } catch (error) {
      signal.throwIfAborted()
      if (!wasStrict || !isAboutStrictness(error)) throw classify(error)
      isStrict = false
      return ask(request, tokens, { signal, remainingMs })
    }
  }

  return {
    async generate(request, options) {
      let usage = { inputTokens: 0, outputTokens: 0 }
      let tokens = maxTokens
      let problem: unknown
      // A model that was cut off, or did not keep to the schema, is asked once more.
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const output = await ask(request, tokens, options)
        usage = addUsage(usage, output)
        try {
          return { items: itemsOf(request, output), usage }
        } catch (error) {
          if (!(error instanceof OutputTruncatedError || error instanceof InvalidOutputError)) throw error
          if (error instanceof OutputTruncatedError) tokens *= 2
          problem = error
        }
      }
      throw problem
    },
  }
}

function toInput(
  modelId: string,
  request: GenerationRequest,
  maxTokens: number,
  strict: boolean,
): ConverseCommandInput {
  return {
    modelId,
    system: [{ text: instructions[request.language] }],
    messages: [{ role: 'user', content: [{ text: promptOf(request) }] }],
    inferenceConfig: { maxTokens, temperature: 0.7 },
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: toolName,
            description: 'Takes the answer.',
            inputSchema: { json: schemaOf(request, strict) },
            ...(strict && { strict }),
          },
        },
      ],
      toolChoice: { tool: { name: toolName } },
    },
  }
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

function isAboutStrictness(error: unknown): boolean {
  const { name = '', message = '' } = error as Partial<Error>
  return name === 'ValidationException' && /strict|structured output|schema/i.test(message)
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
  const content = output?.message?.content ?? []
  const use = content.find(block => block.toolUse?.name === toolName)?.toolUse
  if (use === undefined) {
    // A model that answers in words although it must use the tool does not want to.
    throw new GenerationRefusedError('the model does not write about this', { code: 'REFUSED' })
  }
  const parsed = answers[kind].safeParse(use.input)
  if (parsed.success) return parsed.data.items
  throw new InvalidOutputError('the answer of the model is not what it was asked for')
}

function addUsage(
  { inputTokens, outputTokens }: Generated['usage'],
  { usage }: ConverseCommandOutput,
): Generated['usage'] {
  return {
    inputTokens: inputTokens + (usage?.inputTokens ?? 0),
    outputTokens: outputTokens + (usage?.outputTokens ?? 0),
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
