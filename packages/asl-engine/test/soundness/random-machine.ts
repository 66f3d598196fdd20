import type { Json, StateMachine } from '@stepwright/asl'
import { createEngine } from '../../src/engine.ts'
import { createVirtualClock } from '../../src/time/clock.ts'
import { chance, pick, type Random } from './random.ts'
import { fullAnswer, fullInput } from './random-data.ts'
import {
  placesOf,
  randomCondition,
  randomExpression,
  randomPath,
  randomTemplate,
} from './random-expression.ts'

type Fields = Readonly<Record<string, Json>>

function functionArn(task: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${task}`
}

/** What a machine makes of a sample; `undefined` where it fails. */
async function outputOf(definition: Fields, sample: Json): Promise<Json | undefined> {
  const engine = createEngine({
    definition: definition as unknown as StateMachine,
    clock: createVirtualClock(),
    invoke: () => fullAnswer,
  })
  const result = await engine.run(sample).result
  return result.status === 'SUCCEEDED' ? result.output : undefined
}

/**
 * A machine that is grown along a sample: what a state reads is mostly there when the sample comes through, so that
 * most machines do well with it. Whether they do with every other input is what the checker is to say.
 */
export async function randomMachine(random: Random): Promise<StateMachine> {
  let count = 0
  const name = (): string => {
    count += 1
    return `S${count}`
  }

  /** States in a row; a Choice goes to the next or leaves out those up to the last. */
  const grow = async (sample: Json, depth: number): Promise<Fields> => {
    const length = 1 + Math.floor(random() * (depth === 0 ? 6 : 2))
    const states: [string, Fields][] = []
    let data = sample
    for (let tries = 0; states.length < length && tries < 30; tries += 1) {
      const grown: [string, Fields] = [name(), await state(data, depth, states.length < length - 1)]
      const output = await outputOf(inRow([...states, grown]), sample)
      // a mistake now and then
      if (output === undefined && !chance(random, 0.03)) continue
      states.push(grown)
      if (output === undefined) break
      data = output
    }
    return inRow(states.length > 0 ? states : [[name(), { Type: 'Pass' }]])
  }

  const state = async (data: Json, depth: number, more: boolean): Promise<Fields> => {
    if (more && chance(random, 0.2)) return choice(data)
    if (chance(random, 0.2)) return task(data, more, depth)
    return chance(random, 0.4) ? jsonataState(data, depth) : jsonPathState(data, depth)
  }

  const choice = (data: Json): Fields => {
    if (chance(random, 0.4)) {
      const Choices = Array.from({ length: chance(random, 0.3) ? 2 : 1 }, () => ({
        Condition: `{% ${randomCondition(random, data)} %}`,
      }))
      return {
        Type: 'Choice',
        QueryLanguage: 'JSONata',
        Choices,
        ...(chance(random, 0.8) && { Default: '' }),
      }
    }
    const rule = pick<() => Fields>(random, [
      () => ({ Variable: '$.kind', StringEquals: 'a' }),
      () => ({ Variable: randomPath(random, data, ['boolean']), BooleanEquals: true }),
      () => ({ Variable: '$.note', IsPresent: true }),
      () => ({ Variable: randomPath(random, data), IsString: true }),
      () => ({ Variable: randomPath(random, data, ['number']), NumericGreaterThan: 3 }),
      () => ({ Variable: '$v', IsPresent: true }),
      () => ({ Not: { Variable: '$.made', IsPresent: true } }),
      () => ({ Variable: '$.event.type', StringEquals: 'created' }),
      () => ({ Variable: '$.event.order', IsPresent: true }),
      () => ({ Variable: '$.maybe', IsNull: false }),
      () => ({ Variable: '$.found', BooleanEquals: true }),
      () => ({
        And: [
          { Variable: '$.note', IsPresent: true },
          { Variable: '$.note', StringEquals: 'n' },
        ],
      }),
    ])()
    return { Type: 'Choice', Choices: [rule], ...(chance(random, 0.9) && { Default: '' }) }
  }

  const writing = (data: Json, depth: number): Fields => ({
    ...(chance(random, 0.4) && {
      ResultPath: pick(random, [
        '$.made',
        '$.made',
        '$.made.y',
        '$.inner.c',
        ...placesOf(data)
          .filter(({ steps }) => steps.length > 0 && steps.every(step => typeof step === 'string'))
          .map(({ steps }) => `$.${steps.join('.')}`),
        '$.list.z',
        '$.id.z',
      ]),
    }),
    ...(chance(random, 0.1) && { OutputPath: randomPath(random, data, ['object']) }),
    ...(chance(random, 0.1) && { InputPath: randomPath(random, data, ['object']) }),
    ...(chance(random, 0.25) && { Assign: { [`${variableAt(depth)}.$`]: randomPath(random, data) } }),
  })

  const task = (data: Json, more: boolean, depth: number): Fields => {
    const fails = more && chance(random, 0.5)
    const name = fails ? 'send' : pick(random, ['fetch', 'find'])
    const invokes = chance(random, 0.4)
    const Resource = invokes ? 'arn:aws:states:::lambda:invoke' : functionArn(name)
    const called: Fields = {
      Type: 'Task',
      Resource,
      ...(fails && {
        Catch: [
          {
            ErrorEquals: ['SendError'],
            ...(chance(random, 0.6) && { ResultPath: '$.error' }),
          },
        ],
      }),
    }
    // the most common mistake is to leave out Payload
    const payload = invokes && chance(random, 0.85) ? '.Payload' : ''
    if (chance(random, 0.3) && !fails) {
      const result = `$states.result${payload}`
      const Output = `{% ${pick(random, ['$states.result', result, `$merge([$states.input, ${result}])`, `${result}.rows`, `${result}.next`, `${result}.row.x`, `${result}.found ? ${result}.row : ${result}.tried`, `{ "list": ${result}.rows, "n": ${result}.total, "id": "x" }`])} %}`
      const Arguments = { FunctionName: functionArn(name), Payload: '{% $states.input %}' }
      return { ...called, QueryLanguage: 'JSONata', ...(invokes && { Arguments }), Output }
    }
    const ResultSelector = pick<Json>(random, [
      { 'rows.$': `$${payload}.rows`, 'first.$': `$${payload}.rows[0]` },
      { 'next.$': `$${payload}.next` },
      { 'id.$': `States.Format('{}', $${payload}.total)`, n: 1 },
      { 'x.$': `$${payload}.row.x` },
      { 'found.$': `$${payload}.found`, 'whole.$': '$' },
    ])
    const Parameters = { FunctionName: functionArn(name), 'Payload.$': '$' }
    return {
      ...called,
      ...(invokes && { Parameters }),
      ...(chance(random, 0.3) && !fails && { ResultSelector }),
      ...writing(data, depth),
      ...(invokes && chance(random, 0.3) && { OutputPath: '$.Payload', ResultPath: '$' }),
    }
  }

  const jsonPathState = async (data: Json, depth: number): Promise<Fields> => {
    const more = writing(data, depth)
    const kind = random()
    if (kind < 0.5) return { Type: 'Pass', Parameters: randomTemplate(random, data), ...more }
    if (kind < 0.6) return { Type: 'Wait', SecondsPath: randomPath(random, data, ['number']) }
    if (kind < 0.75 && depth < 2) {
      const ItemsPath = randomPath(random, data, ['array'])
      if (chance(random, 0.4)) {
        const ItemSelector = {
          'item.$': '$$.Map.Item.Value',
          'at.$': '$$.Map.Item.Index',
          'given.$': randomPath(random, data),
        }
        const sample = { item: itemOf(data), at: 0, given: data }
        return { Type: 'Map', ItemsPath, ItemSelector, ItemProcessor: await grow(sample, depth + 1), ...more }
      }
      return { Type: 'Map', ItemsPath, ItemProcessor: await grow(itemOf(data), depth + 1), ...more }
    }
    if (kind < 0.85 && depth < 2)
      return {
        Type: 'Parallel',
        Branches: [await grow(data, depth + 1), await grow(data, depth + 1)],
        ...more,
      }
    return { Type: 'Pass', Result: { y: 1 }, ...more }
  }

  const jsonataState = async (data: Json, depth: number): Promise<Fields> => {
    const expression = (): string => `{% ${randomExpression(random, data)} %}`
    const more: Fields = {
      QueryLanguage: 'JSONata',
      ...(chance(random, 0.25) && { Assign: { [variableAt(depth)]: expression() } }),
    }
    const kind = random()
    if (kind < 0.7) {
      const fields = { id: expression(), list: expression(), n: 1 }
      return { Type: 'Pass', Output: chance(random, 0.5) ? expression() : fields, ...more }
    }
    if (kind < 0.8) return { Type: 'Wait', Seconds: expression(), ...more }
    if (depth < 2)
      return { Type: 'Map', Items: expression(), ItemProcessor: await grow(itemOf(data), depth + 1), ...more }
    return { Type: 'Pass', ...more }
  }

  const machine = await grow(fullInput(random), 0)
  return { ...machine, TimeoutSeconds: 9999 } as unknown as StateMachine
}

/** Inner scopes cannot assign the variables of outer ones. */
function variableAt(depth: number): string {
  return depth === 0 ? 'v' : `v${depth}`
}

/** An element of some list in the data. */
function itemOf(data: Json): Json {
  const lists = placesOf(data).flatMap(({ value }) =>
    Array.isArray(value) && value.length > 0 ? [value] : [],
  )
  return (lists[0]?.[0] as Json | undefined) ?? { x: 1 }
}

/** The same Task, calling the function that never fails. */
function callingFetch(fields: Fields): Fields {
  if (fields['Parameters'] === undefined) return { ...fields, Resource: functionArn('fetch') }
  return { ...fields, Parameters: { FunctionName: functionArn('fetch'), 'Payload.$': '$' } }
}

/** States in a row, each with a way to the next; a Choice's Default and a catcher lead to the last. */
function inRow(states: readonly (readonly [string, Fields])[]): Fields {
  const last = states.at(-1)?.[0] as string
  const linked = states.map(([name, fields], index): [string, Fields] => {
    const next = states[index + 1]?.[0]
    if (fields['Type'] === 'Choice') {
      const rules = (fields['Choices'] as Fields[]).map(rule => ({ ...rule, Next: next ?? last }))
      // alone at the end of a row, it has nowhere to go yet
      if (next === undefined) return [name, { Type: 'Pass', End: true }]
      return [name, { ...fields, Choices: rules, ...(fields['Default'] !== undefined && { Default: last }) }]
    }
    const catchers = (fields['Catch'] as Fields[] | undefined)?.map(catcher => ({ ...catcher, Next: last }))
    if (catchers === undefined)
      return [name, { ...fields, ...(next === undefined ? { End: true } : { Next: next }) }]
    // the last has nowhere to send a failure to, so it calls the task that has none
    if (next !== undefined) return [name, { ...fields, Catch: catchers, Next: next }]
    const { Catch: _catch, ...rest } = fields
    return [name, { ...callingFetch(rest), End: true }]
  })
  return { StartAt: states[0]?.[0] as string, States: Object.fromEntries(linked) }
}
