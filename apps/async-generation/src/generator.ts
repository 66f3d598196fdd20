import * as z from 'zod/mini'

export type Language = 'ja' | 'en'

/** What a model is asked for at a time. */
export type GenerationRequest = { readonly goal: string; readonly language: Language } & (
  | { readonly kind: 'subgoals' }
  | { readonly kind: 'actions'; readonly subgoal: string }
  | { readonly kind: 'tasks'; readonly subgoal: string; readonly action: string }
)

export interface Generated {
  /** 8 sub-goals, 8 actions, or 3 to 5 tasks. */
  readonly items: readonly string[]
}

export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface GenerateOptions {
  /** Aborts when the job was cancelled, and shortly before its time is up: an answer may take that long. */
  readonly signal: AbortSignal
  /** Told of every answer, also of one that cannot be used: it is paid for. */
  readonly onUsage: (usage: TokenUsage) => void
}

/** Thinks of what leads to a goal. */
export interface Generator {
  /**
   * @throws GenerationRefusedError, OutputTruncatedError, ContextOverflowError, InvalidOutputError;
   * ThrottlingException, ServiceUnavailableException, NetworkError
   */
  generate(request: GenerationRequest, options: GenerateOptions): Promise<Generated>
}

/** Of one line and well-formed, since the next generation takes no other texts, and the database neither. */
const item = z
  .string()
  .check(z.overwrite(toLine), z.trim(), z.minLength(1), z.maxLength(500), z.describe('one short sentence'))

function toLine(written: string): string {
  return written.toWellFormed().replace(/[\p{Cc}\s]+/gu, gap => (/\p{Cc}/u.test(gap) ? ' ' : gap))
}

/** What an answer must be, for each kind of request. */
export const answers = {
  subgoals: z.object({ items: z.array(item).check(z.length(8)) }),
  actions: z.object({ items: z.array(item).check(z.length(8)) }),
  tasks: z.object({ items: z.array(item).check(z.minLength(3), z.maxLength(5)) }),
} as const
