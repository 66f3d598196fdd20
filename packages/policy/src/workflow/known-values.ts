import {
  type IntrinsicArgument,
  type IntrinsicCall,
  type JsonataNode,
  jsonataExpression,
  parseIntrinsic,
  parseJsonata,
} from '@stepwright/asl/expressions'

/** What an expression can be at run time, by the expression as it is written; `*` is any text. */
export type KnownValues = Readonly<Record<string, string>>

const anything = '*'

/** What a value of a state can be: a text, with `*` for the parts that only an execution knows. */
export function patternOf(value: unknown, isPath: boolean, known: KnownValues): string | undefined {
  if (typeof value !== 'string') return value === undefined ? undefined : anything
  if (isPath) return value.startsWith('States.') ? ofIntrinsic(value, known) : (known[value] ?? anything)
  const expression = jsonataExpression(value)?.trim()
  if (expression === undefined) return value
  if (known[expression] !== undefined) return known[expression]
  const tree = parseJsonata(expression)
  return tidy(typeof tree === 'string' ? anything : ofJsonata(tree, known))
}

function ofIntrinsic(text: string, known: KnownValues): string {
  const own = known[text]
  if (own !== undefined) return own
  const call = parseIntrinsic(text)
  return typeof call === 'string' ? anything : tidy(ofCall(call, known))
}

function ofCall({ name, args, text }: IntrinsicCall, known: KnownValues): string {
  const [template, ...rest] = args
  if (name !== 'States.Format' || template?.kind !== 'literal') return known[text] ?? anything
  let index = 0
  return String(template.template ?? template.value).replaceAll(/\\(.)|\{\}/g, (_, escaped?: string) => {
    if (escaped !== undefined) return escaped
    const argument = rest[index]
    index += 1
    return argument === undefined ? anything : ofArgument(argument, known)
  })
}

function ofArgument(argument: IntrinsicArgument, known: KnownValues): string {
  if (argument.kind === 'literal') return String(argument.value)
  if (argument.kind === 'call') return ofCall(argument.call, known)
  return known[argument.path.text] ?? anything
}

/** A text, or texts put together with `&`. */
function ofJsonata(node: JsonataNode, known: KnownValues): string {
  if (node.type === 'string' || node.type === 'number') return String(node.value)
  if (node.type === 'binary' && node.value === '&')
    return `${ofJsonata(node.lhs as JsonataNode, known)}${ofJsonata(node.rhs as JsonataNode, known)}`
  if (node.type === 'block' && node.expressions?.length === 1)
    return ofJsonata(node.expressions[0] as JsonataNode, known)
  return anything
}

function tidy(pattern: string): string {
  return pattern.replaceAll(/\*{2,}/g, '*')
}
