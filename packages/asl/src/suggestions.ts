import { optimizedIntegrations } from './facts/integrations.ts'
import { sdkActionsOf, sdkServices } from './facts/sdk-actions.ts'
import { stateTypes } from './facts/states.ts'
import { isObject } from './json.ts'
import type { Json, JsonObject, QueryLanguage, StateType } from './language.ts'
import type { Pointer } from './source/pointer.ts'
import { machineFields, subMachineFields } from './validity/check-machine.ts'
import { valuesBehind } from './validity/fields.ts'
import { processorConfig } from './validity/map-fields.ts'
import { checkOf, fieldsBehind, type ObjectFields } from './validity/object-fields.ts'
import { stateFields } from './validity/state-fields.ts'

/** The fields that the object at a place may have besides those that it has. */
export function fieldsAt(definition: Json, pointer: Pointer): readonly string[] {
  const found = objectAt(definition, pointer)
  if (found === undefined) return []
  const { fields, language, value } = found
  const names = [...Object.keys(fields.both), ...Object.keys(fields[language] ?? {})]
  return names.filter(name => !isObject(value) || !Object.hasOwn(value, name))
}

/** What the text at a place may be, where there is only a choice: a type, a mode, a resource that begins like it. */
export function valuesAt(definition: Json, pointer: Pointer): readonly string[] {
  const key = pointer.at(-1)
  const found = objectAt(definition, pointer.slice(0, -1))
  if (found === undefined || typeof key !== 'string') return []
  const { fields, language, value, isState } = found
  if (isState && key === 'Type') return stateTypes
  if (key === 'Resource') return resourcesLike(String((value as JsonObject)['Resource'] ?? ''), pointer)
  const check = checkOf(fields, key, language)
  return (check && valuesBehind(check)) ?? []
}

const ofStepFunctions = 'arn:aws:states:::'

function resourcesLike(text: string, pointer: Pointer): readonly string[] {
  if (pointer.at(-2) === 'ItemReader')
    return ['s3:getObject', 's3:listObjectsV2'].map(name => `${ofStepFunctions}${name}`)
  if (pointer.at(-2) === 'ResultWriter') return [`${ofStepFunctions}s3:putObject`]
  const [, service] = /^arn:aws:states:::aws-sdk:([^:]*):/.exec(text) ?? []
  const names =
    service === undefined
      ? [...optimizedIntegrations(), ...sdkServices().map(name => `aws-sdk:${name}:`)]
      : [...(sdkActionsOf(service) ?? [])].map(action => `aws-sdk:${service}:${action}`)
  return names.map(name => `${ofStepFunctions}${name}`)
}

interface Found {
  readonly fields: ObjectFields
  readonly language: QueryLanguage
  readonly value: Json | undefined
  readonly isState: boolean
}

/** The object at a place, and which fields it may have; nothing of what the definition hands on as it is. */
function objectAt(definition: Json, pointer: Pointer): Found | undefined {
  const isJsonata = (value: Json | undefined): boolean =>
    isObject(value) && value['QueryLanguage'] === 'JSONata'
  let language: QueryLanguage = isJsonata(definition) ? 'JSONata' : 'JSONPath'
  let fields: ObjectFields | undefined = machineFields
  let value: Json | undefined = definition
  let isState = false
  for (let at = 0; at < pointer.length; at += 1) {
    const key = pointer[at] as string | number
    value = childOf(value, key)
    if (typeof key === 'number') {
      if (pointer[at - 1] === 'Branches') fields = subMachineFields
      continue
    }
    if (key === 'States' && (fields === machineFields || fields === subMachineFields)) {
      at += 1
      if (at === pointer.length) return undefined
      value = childOf(value, pointer[at] as string)
      const given: QueryLanguage | undefined = isObject(value)
        ? (value['QueryLanguage'] as QueryLanguage | undefined)
        : undefined
      if (given === 'JSONata' || given === 'JSONPath') language = given
      fields = stateFieldsOf(value)
      isState = at === pointer.length - 1
      continue
    }
    isState = false
    if (key === 'ItemProcessor' || key === 'Iterator') fields = subMachineFields
    else if (key === 'ProcessorConfig') fields = fieldsBehind(processorConfig)
    else if (key !== 'And' && key !== 'Or' && key !== 'Not') {
      const check: ReturnType<typeof checkOf> = fields && checkOf(fields, key, language)
      fields = check && fieldsBehind(check)
    }
    if (fields === undefined && key !== 'Branches') return undefined
  }
  return fields && { fields, language, value, isState }
}

/** Before a state has its type, only that is clear. */
function stateFieldsOf(state: Json | undefined): ObjectFields {
  const type = isObject(state) ? state['Type'] : undefined
  if (stateTypes.includes(type as StateType)) return stateFields[type as StateType]
  const { Type, Comment, QueryLanguage } = stateFields.Succeed.both
  return { both: { Type, Comment, QueryLanguage } as ObjectFields['both'] }
}

function childOf(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as JsonObject)[key as string]
}
