import { createHash } from 'node:crypto'
import { NetworkError, ServiceUnavailableException, ThrottlingException } from '@stepwright/errors'
import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import * as z from 'zod/mini'
import { GenerationRefusedError, InvalidOutputError } from '../errors.ts'
import type { GenerationRequest, Generator, TokenUsage } from '../generator.ts'

const failures = {
  ThrottlingException,
  ServiceUnavailableException,
  NetworkError,
  GenerationRefusedError,
  InvalidOutputError,
} as const

const share = z.number().check(z.minimum(0), z.maximum(1))

/** How the generator behaves, for tests and demos. */
export const localScript = z.object({
  /** How long each answer takes. @default 0 */
  latencyMs: z.optional(z.number()),
  /** Calls that contain the text take that long instead. */
  latencies: z.optional(z.array(z.object({ text: z.string(), ms: z.number() }))),
  /** Which share of the calls fails, by the name of the error. */
  failures: z.optional(z.partialRecord(z.enum(Object.keys(failures) as [keyof typeof failures]), share)),
  /** Calls that contain the text fail that many times, and then no more. */
  failing: z.optional(
    z.array(
      z.object({
        text: z.string(),
        error: z.enum(Object.keys(failures) as [keyof typeof failures]),
        times: z.number(),
      }),
    ),
  ),
})
export type LocalScript = z.infer<typeof localScript>

export interface LocalGeneratorOptions {
  readonly script?: LocalScript
  /** @default Math.random */
  readonly random?: () => number
  /** @default setTimeout */
  readonly sleep?: Sleep
}

/** Makes texts without a model: the same request gives the same texts, in Japanese or in English. */
export function createLocalGenerator({
  script: { latencyMs = 0, latencies = [], failures: shares = {}, failing = [] } = {},
  random = Math.random,
  sleep = sleepFor,
}: LocalGeneratorOptions = {}): Generator {
  const left = failing.map(rule => ({ ...rule }))

  function refuse(request: GenerationRequest): void {
    const asked = JSON.stringify(request)
    const rule = left.find(({ text, times }) => times > 0 && asked.includes(text))
    if (rule) {
      rule.times -= 1
      throw new failures[rule.error](`scripted ${rule.error}`)
    }
    let drawn = random()
    for (const [name, part] of Object.entries(shares) as [keyof typeof failures, number][]) {
      if (drawn < part) throw new failures[name](`scripted ${name}`)
      drawn -= part
    }
  }

  return {
    async generate(request, { signal, onUsage }) {
      signal.throwIfAborted()
      const asked = JSON.stringify(request)
      const ms = latencies.find(({ text }) => asked.includes(text))?.ms ?? latencyMs
      if (ms > 0) await sleep(ms, signal)
      refuse(request)
      const items = itemsOf(request)
      onUsage(usageOf(request, items))
      return { items }
    },
  }
}

const themes = {
  ja: ['計画', '習慣', '知識', '仲間', '健康', '環境', '資金', '振り返り'],
  en: ['planning', 'habits', 'knowledge', 'companions', 'health', 'surroundings', 'money', 'reflection'],
} as const

const verbs = {
  ja: ['調べる', '書き出す', '相談する', '試してみる', '毎週続ける', '記録する', '見直す', '人に教える'],
  en: ['Look into', 'Write down', 'Ask about', 'Try out', 'Keep up', 'Record', 'Review', 'Teach'],
} as const

const moments = {
  ja: ['今日の15分で', '今週末までに', '今月中に', '次の休日に', '朝いちばんに'],
  en: [
    'in 15 minutes today',
    'by the weekend',
    'this month',
    'on the next day off',
    'first thing in the morning',
  ],
} as const

function usageOf(request: GenerationRequest, items: readonly string[]): TokenUsage {
  const toTokens = (text: string): number => Math.ceil(text.length / 4)
  return { inputTokens: toTokens(JSON.stringify(request)), outputTokens: toTokens(items.join('')) }
}

function itemsOf(request: GenerationRequest): readonly string[] {
  const { language } = request
  const isJapanese = language === 'ja'
  if (request.kind === 'subgoals') {
    return themes[language].map(theme =>
      isJapanese ? `「${brief(request.goal)}」のための${theme}` : `${brief(request.goal)}: ${theme}`,
    )
  }
  if (request.kind === 'actions') {
    return verbs[language].map(verb =>
      isJapanese ? `${brief(request.subgoal)}について${verb}` : `${verb} ${brief(request.subgoal)}`,
    )
  }
  const count = 3 + (hashOf(request) % 3)
  return moments[language]
    .slice(0, count)
    .map(moment => (isJapanese ? `${moment}${brief(request.action)}` : `${brief(request.action)}, ${moment}`))
}

function brief(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`
}

function hashOf(request: GenerationRequest): number {
  return createHash('sha256').update(JSON.stringify(request)).digest().readUInt32BE()
}
