/// <reference path="./dynalite.d.ts" />
import type { Operation, Store } from 'dynalite/db/index.js'
import type { Answer, Engine } from './engine.ts'
import { jsonAnswer, refuse } from './engine-calls.ts'

export interface Tag {
  readonly Key: string
  readonly Value: string
}

const maxTags = 50
const maxKeyLength = 128
const maxValueLength = 256

/** What is wrong with these tags of a table. */
export function findTagProblem(given: unknown): string | undefined {
  if (!Array.isArray(given)) return 'Tags must be a list'
  if (given.length > maxTags)
    return `One or more parameter values were invalid: Too many tags: the limit is ${maxTags}`
  for (const { Key, Value } of given as readonly Partial<Tag>[]) {
    if (typeof Key !== 'string' || Key.length < 1 || Key.length > maxKeyLength) {
      return `One or more parameter values were invalid: the key of a tag must have 1 to ${maxKeyLength} characters`
    }
    if (typeof Value !== 'string' || Value.length > maxValueLength) {
      return `One or more parameter values were invalid: the value of tag ${Key} must have at most ${maxValueLength} characters`
    }
    if (/^aws:/i.test(Key))
      return `One or more parameter values were invalid: tag ${Key} starts with aws:, which is reserved`
  }
  const keys = (given as readonly Tag[]).map(({ Key }) => Key)
  const twice = keys.find((key, index) => keys.indexOf(key) < index)
  return twice === undefined
    ? undefined
    : `One or more parameter values were invalid: Duplicate tag key: ${twice}`
}

export function toTagOperations(table: string, tags: readonly Tag[]): Operation[] {
  return tags.map(({ Key, Value }) => ({ type: 'put', key: `tag-${table}~${Key}`, value: Value }))
}

/** Checks the limits of TagResource, and lists tags with any characters: dynalite lists only some. */
export function withTags(engine: Engine, store: Store): Engine {
  async function tagsOf(table: string): Promise<Tag[]> {
    const prefix = `tag-${table}~`
    const tags: Tag[] = []
    for await (const [key, value] of store.db.iterator({ gte: prefix, lt: `${prefix}\uffff` })) {
      tags.push({ Key: key.slice(prefix.length), Value: String(value) })
    }
    return tags
  }

  async function tag(run: () => Promise<Answer>, table: string, given: unknown): Promise<Answer> {
    const problem = findTagProblem(given ?? [])
    if (problem !== undefined) return refuse('ValidationException', problem)
    const keys = [...(await tagsOf(table)), ...((given ?? []) as readonly Tag[])].map(({ Key }) => Key)
    if (new Set(keys).size <= maxTags) return run()
    return refuse(
      'ValidationException',
      `One or more parameter values were invalid: Too many tags: the limit is ${maxTags}`,
    )
  }

  return async call => {
    const table = String(call.input['ResourceArn']).split('/').pop() ?? ''
    if (call.operation === 'TagResource') return tag(() => engine(call), table, call.input['Tags'])
    const answer = await engine(call)
    if (call.operation !== 'ListTagsOfResource' || answer.status !== 200) return answer
    return jsonAnswer(200, { Tags: await tagsOf(table) })
  }
}
