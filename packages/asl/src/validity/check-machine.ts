import { isPlaceholder } from '../expressions/placeholder.ts'
import { maxSeconds, maxStateNameCharacters } from '../facts/limits.ts'
import { stateTypes } from '../facts/states.ts'
import type { Report } from '../finding.ts'
import { isArray, isObject } from '../json.ts'
import type { Json, JsonObject, QueryLanguage, StateType } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'
import { suggestFrom } from '../suggest.ts'
import type { ValidityContext } from './context.ts'
import { anything, number, oneOf, text } from './fields.ts'
import { processorConfig } from './map-fields.ts'
import { checkFields, checkOf, type ObjectFields } from './object-fields.ts'
import { stateFields } from './state-fields.ts'
import { enterScope } from './variables.ts'

export interface ValidityOptions {
  readonly report: Report
  readonly express: boolean
}

export const machineFields: ObjectFields = {
  both: {
    Comment: text,
    StartAt: anything,
    States: anything,
    TimeoutSeconds: number({ least: 1, most: maxSeconds }),
    Version: text,
    QueryLanguage: oneOf('JSONPath', 'JSONata'),
  },
}

/** Reports everything for which CreateStateMachine would refuse the definition. */
export function checkValidity(definition: Json, { report, express }: ValidityOptions): void {
  if (!isObject(definition)) {
    report('valid/field-value', [], 'A state machine must be an object.')
    return
  }
  const language: QueryLanguage = definition['QueryLanguage'] === 'JSONata' ? 'JSONata' : 'JSONPath'
  const context: ValidityContext = { report, language, machineLanguage: language, express }
  for (const [key, value] of Object.entries(definition)) {
    const check = checkOf(machineFields, key, language)
    if (check !== undefined) check(value, [key], context)
    else report('valid/unknown-field', [key], `The field '${key}' is not supported here`, { at: 'key' })
  }
  checkScope(definition, [], context, new Set())
}

/** One level of states: the machine, a branch or an item processor. */
function checkScope(scope: JsonObject, pointer: Pointer, context: ValidityContext, names: Set<string>): void {
  const missing = ['States', 'StartAt'].filter(field => !Object.hasOwn(scope, field))
  if (missing.length > 0) {
    context.report('valid/required-field', pointer, `These fields are required: [${missing.join(', ')}]`)
  }
  const states = scope['States']
  if (states === undefined) return
  if (!isObject(states)) {
    if (!isPlaceholder(states))
      context.report('valid/field-value', under(pointer, 'States'), 'The value must be an object.')
    return
  }
  if (Object.keys(states).length === 0) {
    context.report('valid/field-value', under(pointer, 'States'), 'Value cannot be empty')
    return
  }
  const inScope = { ...context, siblings: states }
  for (const [name, state] of Object.entries(states)) {
    const at = under(pointer, 'States', name)
    checkName(name, at, context, names)
    checkState(state, at, inScope, names)
  }
  checkTransitions(scope, states, pointer, context)
}

function checkName(name: string, pointer: Pointer, context: ValidityContext, names: Set<string>): void {
  const characters = name.length > maxStateNameCharacters ? [...name].length : 0
  if (characters > maxStateNameCharacters) {
    const message = `A state's name has at most ${maxStateNameCharacters} characters, not ${characters}.`
    context.report('valid/state-name', pointer, message, { at: 'key' })
  }
  if (name === '')
    context.report('valid/state-name', pointer, "A state's name cannot be empty.", { at: 'key' })
  if (names.has(name)) {
    const message = `Duplicate State name: ${name}`
    const suggestion =
      'State names are unique within the whole machine, also inside branches and item processors.'
    context.report('valid/state-name', pointer, message, { at: 'key', suggestion })
  }
  names.add(name)
}

function checkState(state: Json, pointer: Pointer, machine: ValidityContext, names: Set<string>): void {
  if (!isObject(state)) {
    if (!isPlaceholder(state)) machine.report('valid/field-value', pointer, 'A state must be an object.')
    return
  }
  const own = state['QueryLanguage']
  const language = own === 'JSONata' || own === 'JSONPath' ? own : machine.machineLanguage
  if (own === 'JSONPath' && machine.machineLanguage === 'JSONata') {
    const message = "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine"
    machine.report('valid/query-language', pointer, message, { at: 'key' })
  }
  const context = language === machine.language ? machine : { ...machine, language }
  const type = state['Type']
  if (type === undefined) {
    context.report('valid/required-field', pointer, "The field 'Type' is required but was missing", {
      at: 'key',
    })
    return
  }
  if (!stateTypes.includes(type as StateType)) {
    oneOf(...stateTypes)(type, under(pointer, 'Type'), context)
    return
  }
  const inState = { ...context, state: { type: type as StateType, pointer } }
  checkFields(state, stateFields[type as StateType], pointer, inState)
  checkHeartbeat(state, pointer, context)
  checkInnerScopes(state, pointer, context, names)
}

function checkHeartbeat(state: JsonObject, pointer: Pointer, context: ValidityContext): void {
  const { HeartbeatSeconds: heartbeat, TimeoutSeconds: timeout } = state
  if (typeof heartbeat === 'number' && typeof timeout === 'number' && heartbeat >= timeout) {
    context.report(
      'valid/field-value',
      under(pointer, 'HeartbeatSeconds'),
      'HeartbeatSeconds must be smaller than TimeoutSeconds.',
    )
  }
}

function checkInnerScopes(
  state: JsonObject,
  pointer: Pointer,
  context: ValidityContext,
  names: Set<string>,
): void {
  const name = String(pointer.at(-1))
  if (state['Type'] === 'Parallel' && isArray(state['Branches'])) {
    const inner = enterScope(context, name, false)
    for (const [index, branch] of state['Branches'].entries()) {
      checkSubMachine(branch, under(pointer, 'Branches', index), inner, names)
    }
  }
  if (state['Type'] !== 'Map') return
  for (const field of ['ItemProcessor', 'Iterator']) {
    const processor = state[field]
    if (processor === undefined) continue
    const at = under(pointer, field)
    const config = isObject(processor) ? processor['ProcessorConfig'] : undefined
    if (config !== undefined) processorConfig(config, under(at, 'ProcessorConfig'), context)
    const distributed = isObject(config) && config['Mode'] === 'DISTRIBUTED'
    if (!distributed && !isPlaceholder(isObject(config) ? config['Mode'] : undefined))
      checkInline(state, pointer, context)
    if (isObject(processor) && processor['QueryLanguage'] !== undefined) {
      context.report(
        'valid/unknown-field',
        under(at, 'QueryLanguage'),
        "The field 'QueryLanguage' is not supported here",
        {
          at: 'key',
          suggestion: 'Give it to the states, or to the whole machine.',
        },
      )
    }
    if (distributed && context.express) {
      context.report('valid/express', at, 'Express state machine does not support a Map in DISTRIBUTED mode')
    }
    const express = distributed ? config['ExecutionType'] === 'EXPRESS' : context.express
    checkSubMachine(processor, at, { ...enterScope(context, name, distributed), express }, names)
  }
}

/** What only a Distributed Map has. */
function checkInline(state: JsonObject, pointer: Pointer, context: ValidityContext): void {
  for (const field of ['ItemReader', 'ItemBatcher', 'ResultWriter']) {
    if (state[field] === undefined) continue
    const message = `The field '${field}' belongs to a Map in DISTRIBUTED mode`
    context.report('valid/unknown-field', under(pointer, field), message, { at: 'key' })
  }
}

export const subMachineFields: ObjectFields = {
  both: { Comment: anything, StartAt: anything, States: anything, ProcessorConfig: anything },
}

function checkSubMachine(
  machine: Json,
  pointer: Pointer,
  context: ValidityContext,
  names: Set<string>,
): void {
  if (!isObject(machine)) {
    if (!isPlaceholder(machine)) context.report('valid/field-value', pointer, 'The value must be an object.')
    return
  }
  for (const key of Object.keys(machine)) {
    // of a processor it is refused in words of its own
    if (key === 'QueryLanguage' || Object.hasOwn(subMachineFields.both, key)) continue
    context.report('valid/unknown-field', under(pointer, key), `The field '${key}' is not supported here`, {
      at: 'key',
    })
  }
  checkScope(machine, pointer, context, names)
}

function checkTransitions(
  scope: JsonObject,
  states: JsonObject,
  pointer: Pointer,
  context: ValidityContext,
): void {
  const statesAt = under(pointer, 'States')
  const reached = new Set<string>()
  const names = Object.keys(states)
  let unknownState = false
  const meant = suggestFrom(names)
  const follow: Follow = (from, field, at, found) => {
    const value = from[field]
    if (typeof value !== 'string') return
    if (Object.hasOwn(states, value)) found.push(value)
    else if (isPlaceholder(value)) unknownState = true
    else {
      const near = meant(value)
      const suggestion = near === undefined ? undefined : `Did you mean "${near}"?`
      context.report('valid/transition', under(at, field), `There is no state "${value}" here.`, {
        suggestion,
      })
    }
  }
  if (scope['StartAt'] !== undefined && typeof scope['StartAt'] !== 'string')
    text(scope['StartAt'], under(pointer, 'StartAt'), context)

  const queue: string[] = []
  follow(scope, 'StartAt', pointer, queue)
  const targets = new Map(
    names.map(name => [name, targetsOf(states[name], under(statesAt, name), follow, context)]),
  )
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    for (const target of targets.get(name) ?? []) queue.push(target)
  }
  if (reached.size === 0 || unknownState) return
  for (const name of names) {
    if (!reached.has(name)) {
      context.report('valid/unreachable', under(statesAt, name), `State "${name}" is not reachable.`, {
        at: 'key',
      })
    }
  }
  if (!names.some(name => endsHere(states[name]))) {
    context.report(
      'valid/transition',
      statesAt,
      'No state ends here: one needs End, or the type Succeed or Fail.',
      { at: 'key' },
    )
  }
}

function endsHere(state: Json | undefined): boolean {
  if (!isObject(state) || state['End'] === true) return true
  // where it is told already what is wrong with a state, nothing more is said
  const type = state['Type']
  if (!stateTypes.includes(type as StateType)) return true
  return type === 'Succeed' || type === 'Fail' || (type !== 'Choice' && !Object.hasOwn(state, 'Next'))
}

/** Adds the state that a field names to those found, or reports that there is none. */
type Follow = (from: JsonObject, field: string, at: Pointer, found: string[]) => void

function targetsOf(
  state: Json | undefined,
  pointer: Pointer,
  follow: Follow,
  context: ValidityContext,
): string[] {
  if (!isObject(state)) return []
  const found: string[] = []
  const type = state['Type']
  if (type === 'Choice') {
    follow(state, 'Default', pointer, found)
    for (const [index, rule] of entriesOf(state['Choices'])) {
      if (isObject(rule)) follow(rule, 'Next', under(pointer, 'Choices', index), found)
    }
  } else if (type !== 'Succeed' && type !== 'Fail') {
    follow(state, 'Next', pointer, found)
    const next = Object.hasOwn(state, 'Next')
    const end = state['End'] === true
    if (next && end) {
      context.report(
        'valid/exclusive-fields',
        under(pointer, 'End'),
        'Only one of these fields may be given: [Next, End]',
        { at: 'key' },
      )
    }
    if (!next && !end && stateTypes.includes(type as StateType)) {
      context.report('valid/transition', pointer, 'A state needs Next, or End with the value true.', {
        at: 'key',
      })
    }
    for (const [index, catcher] of entriesOf(state['Catch'])) {
      if (isObject(catcher)) follow(catcher, 'Next', under(pointer, 'Catch', index), found)
    }
  }
  return found
}

function entriesOf(value: Json | undefined): Iterable<[number, Json]> {
  return isArray(value) ? value.entries() : []
}
