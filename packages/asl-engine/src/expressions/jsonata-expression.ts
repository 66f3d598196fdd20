import { parseJsonata } from '@stepwright/asl/expressions'
import { maxJsonataDepth } from '@stepwright/asl/facts'
import jsonata from 'jsonata'
import { BoundedRegExp } from './bounded-regexp.ts'
import { bindGuards, checkMade, guardsFor, maxElements } from './jsonata-guards.ts'

/** An expression cannot be read. */
export class InvalidJsonataError extends Error {
  override readonly name = 'InvalidJsonataError'
  constructor(text: string, problem: string) {
    super(`The JSONata expression '${text}' cannot be read: ${problem}`)
  }
}

/** What an evaluation may take. An expression that needs more fails its state. */
interface Guards {
  /** Milliseconds of real time. */
  readonly timeout: number
  /** Levels of evaluation; a function that calls itself takes about three for each call. */
  readonly stack: number
  /** Elements of a list that is being made. */
  readonly sequence: number
}

const guards: Guards = { timeout: 5000, stack: maxJsonataDepth, sequence: maxElements }

/** So long an evaluation keeps the event loop to itself. */
const turnMs = 20
const nodesBetweenLooks = 500

/** One evaluation, found through `$states`. */
interface Evaluation {
  readonly nowMs: number
  readonly yieldTurn: () => Promise<void>
  /** The functions to be guarded. */
  readonly guarded: readonly string[]
  nodes: number
  turnStartedMs: number
}

const evaluationOf: unique symbol = Symbol('evaluation')

export interface JsonataBindings {
  readonly functions: Readonly<Record<string, unknown>>
  readonly variables: Readonly<Record<string, unknown>>
  readonly states: object
}

export interface EvaluateOptions {
  readonly nowMs: number
  /** Lets others have their turn. */
  readonly yieldTurn: () => Promise<void>
}

export type EvaluateExpression = (bindings: JsonataBindings, options: EvaluateOptions) => Promise<unknown>

interface Frame {
  timestamp: Date
  readonly base: Frame & { evaluation?: Evaluation }
  readonly lookup: (name: string) => unknown
  readonly bind: (name: string, value: unknown) => void
}

/** Only these can make a value larger and larger: an operator that joins texts, and names for what was made. */
const growing = /&|:=|function|λ/

/** Compiles an expression of JSONata 2.0.6, which is what Step Functions runs. It can neither run for ever nor block. */
export function compileExpression(text: string, limits: Guards = guards): EvaluateExpression {
  const parsed = parseJsonata(text)
  if (typeof parsed === 'string') throw new InvalidJsonataError(text, parsed)
  const expression = jsonata(text, { ...limits, RegexEngine: BoundedRegExp as unknown as RegExpConstructor })
  // The library asks this before every node of the expression; its types do not know of symbols.
  expression.assign(Symbol.for('jsonata.__evaluate_entry') as unknown as string, beforeNode)
  if (growing.test(text))
    expression.assign(Symbol.for('jsonata.__evaluate_exit') as unknown as string, afterNode)
  const guarded = guardsFor(text)
  // Whoever redefines $clone could change the input through the transform operator.
  const own = text.includes('$clone') ? structuredClone<object> : (value: object) => value
  return ({ functions, variables, states }, { nowMs, yieldTurn }) => {
    const evaluation: Evaluation = {
      nowMs,
      yieldTurn,
      guarded,
      nodes: 0,
      turnStartedMs: performance.now(),
    }
    return expression.evaluate(undefined, {
      ...functions,
      ...own(variables),
      states: { ...own(states), [evaluationOf]: evaluation },
    })
  }
}

/** Sets the expression's clock at the first node, and gives way to others now and then. */
function beforeNode(_node: unknown, _input: unknown, frame: Frame): Promise<void> | undefined {
  const { base } = frame
  if (base.evaluation === undefined) {
    const states = frame.lookup('states') as { readonly [evaluationOf]?: Evaluation } | undefined
    const evaluation = states?.[evaluationOf]
    if (evaluation === undefined) return undefined
    base.evaluation = evaluation
    base.timestamp = new Date(evaluation.nowMs)
    bindGuards(base, evaluation.guarded)
  }
  const { evaluation } = base
  evaluation.nodes += 1
  if (evaluation.nodes % nodesBetweenLooks !== 0 || performance.now() - evaluation.turnStartedMs < turnMs)
    return undefined
  return evaluation.yieldTurn().then(() => {
    evaluation.turnStartedMs = performance.now()
  })
}

function afterNode(_node: unknown, _input: unknown, _frame: unknown, made: unknown): void {
  checkMade(made)
}
