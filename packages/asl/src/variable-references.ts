import { type IntrinsicArgument, type IntrinsicCall, parseIntrinsic } from './expressions/intrinsic.ts'
import { jsonataExpression, parseJsonata } from './expressions/jsonata.ts'
import { usesOf } from './expressions/jsonata-uses.ts'
import { parsePath } from './expressions/path.ts'
import { jsonataFunctions } from './facts/jsonata.ts'
import { isArray, isObject } from './json.ts'
import type { Json } from './language.ts'
import { buildMachine, type StateNode, statesOf } from './machine/machine.ts'

/** The variables that each state reads, by the name of the state; states that read none are left out. */
export function findVariableReferences(definition: Json): Readonly<Record<string, readonly string[]>> {
  const machine = buildMachine(definition)
  if (machine === undefined) return {}
  const found = [...statesOf(machine)].map(state => [state.name, [...referencesOf(state)]] as const)
  return Object.fromEntries(found.filter(([, names]) => names.length > 0))
}

/** The states inside of a state read for themselves. */
const inner = new Set(['Branches', 'ItemProcessor', 'Iterator'])

function referencesOf({ fields, language }: StateNode): ReadonlySet<string> {
  const names = new Set<string>()
  const read = language === 'JSONata' ? readExpression : readPathText
  const walk = (value: Json, key: string): void => {
    if (typeof value === 'string') read(value, key, names)
    else if (isArray(value)) for (const item of value) walk(item, key)
    else if (isObject(value)) for (const [name, item] of Object.entries(value)) walk(item, name)
  }
  for (const [key, value] of Object.entries(fields)) if (!inner.has(key)) walk(value, key)
  return names
}

function readExpression(text: string, _key: string, names: Set<string>): void {
  const expression = jsonataExpression(text)
  const tree = expression === undefined ? '' : parseJsonata(expression)
  if (typeof tree === 'string') return
  const { variables, guarded } = usesOf(tree)
  for (const name of [...variables, ...guarded]) if (!jsonataFunctions.has(name)) names.add(name)
}

function readPathText(text: string, key: string, names: Set<string>): void {
  if (!key.endsWith('.$') && !key.endsWith('Path') && key !== 'Variable') return
  if (text.startsWith('$')) {
    const path = parsePath(text)
    if (typeof path !== 'string' && path.root.kind === 'variable') names.add(path.root.name)
    return
  }
  const call = parseIntrinsic(text)
  if (typeof call !== 'string') readCall(call, names)
}

function readCall({ args }: IntrinsicCall, names: Set<string>): void {
  const readArgument = (argument: IntrinsicArgument): void => {
    if (argument.kind === 'call') readCall(argument.call, names)
    else if (argument.kind === 'path' && argument.path.root.kind === 'variable')
      names.add(argument.path.root.name)
  }
  for (const argument of args) readArgument(argument)
}
