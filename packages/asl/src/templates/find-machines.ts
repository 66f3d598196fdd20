import type { Substitutions } from '../expressions/placeholder.ts'
import { isObject } from '../json.ts'
import type { Json, JsonObject } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'
import type { Source } from '../source/source.ts'
import { parseDeployed } from './parse-deployed.ts'
import { mappedTextOf, readSubstitutions, resolveFunctions } from './template-text.ts'

/** A state machine found in a template. */
export interface TemplateMachine {
  readonly logicalId: string
  readonly type: 'STANDARD' | 'EXPRESS'
  /** Where the template declares it. */
  readonly pointer: Pointer
  /** The definition, where the template holds it. */
  readonly source?: Source
  /** The file that holds it, relative to the template. */
  readonly file?: string
  /** What `${Name}` in that file stands for. */
  readonly substitutions: Substitutions
}

/** Whether the document is a template: of CloudFormation (also as CDK and SAM write it) or of the Serverless Framework. */
export function isTemplate(value: Json): boolean {
  if (!isObject(value) || Object.hasOwn(value, 'States')) return false
  const serverless = value['service'] !== undefined && isObject(value['provider'])
  return serverless || isObject(value['Resources']) || isObject(value['stepFunctions'])
}

/** The state machines of a template, as CDK's synth, SAM and the Serverless Framework have them. */
export function findMachines(template: Source): readonly TemplateMachine[] {
  const { value } = template
  if (!isObject(value)) return []
  const own = isObject(value['resources']) ? value['resources'] : undefined
  return [
    ...inResources(template, value['Resources'], ['Resources']),
    ...inResources(template, own?.['Resources'], ['resources', 'Resources']),
    ...inServerless(template, value['stepFunctions']),
  ]
}

function inResources(template: Source, resources: Json | undefined, at: Pointer): readonly TemplateMachine[] {
  if (!isObject(resources)) return []
  return Object.entries(resources).flatMap(([logicalId, resource]): TemplateMachine[] => {
    if (!isObject(resource) || !isObject(resource['Properties'])) return []
    const kind = resource['Type']
    if (kind !== 'AWS::StepFunctions::StateMachine' && kind !== 'AWS::Serverless::StateMachine') return []
    const properties = resource['Properties']
    const pointer = under(at, logicalId)
    return [
      {
        logicalId,
        type: (properties['StateMachineType'] ?? properties['Type']) === 'EXPRESS' ? 'EXPRESS' : 'STANDARD',
        pointer,
        ...readProperties(template, properties, under(pointer, 'Properties')),
      },
    ]
  })
}

type Definition = Pick<TemplateMachine, 'source' | 'file' | 'substitutions'>

function readProperties(template: Source, properties: JsonObject, at: Pointer): Definition {
  const substitutions = readSubstitutions(properties['DefinitionSubstitutions'])
  const { Definition: written, DefinitionString: text } = properties
  if (isObject(written))
    return { substitutions, source: partOf(template, written, under(at, 'Definition'), substitutions) }
  if (text !== undefined) {
    const mapped = mappedTextOf(template, under(at, 'DefinitionString'), text)
    if (mapped !== undefined) return { substitutions, source: parseDeployed(mapped, template, substitutions) }
  }
  const file = fileOf(properties['DefinitionUri']) ?? fileOf(properties['DefinitionS3Location'])
  return { substitutions, ...(file !== undefined && { file }) }
}

/** A path, or what CDK's `DefinitionBody.fromFile` makes: an asset beside the template. */
function fileOf(place: Json | undefined): string | undefined {
  if (typeof place === 'string') return place
  const key = isObject(place) ? place['Key'] : undefined
  return typeof key === 'string' && /^[0-9a-f]{64}\.\w+$/.test(key) ? `asset.${key}` : undefined
}

/** The plugin `serverless-step-functions`. */
function inServerless(template: Source, section: Json | undefined): readonly TemplateMachine[] {
  const machines = isObject(section) ? section['stateMachines'] : undefined
  if (!isObject(machines)) return []
  return Object.entries(machines).flatMap(([logicalId, machine]): TemplateMachine[] => {
    if (!isObject(machine)) return []
    const pointer = ['stepFunctions', 'stateMachines', logicalId]
    const { definition, type } = machine
    const file = typeof definition === 'string' ? /^\$\{file\(([^)]+)\)\}$/.exec(definition)?.[1] : undefined
    return [
      {
        logicalId,
        type: type === 'EXPRESS' ? 'EXPRESS' : 'STANDARD',
        pointer,
        substitutions: {},
        ...(isObject(definition) && {
          source: partOf(template, definition, under(pointer, 'definition'), {}),
        }),
        ...(file !== undefined && { file: file.trim() }),
      },
    ]
  })
}

/** A part of a template as a source of its own, with places in the template. */
function partOf(template: Source, part: JsonObject, pointer: Pointer, substitutions: Substitutions): Source {
  return {
    ...template,
    value: resolveFunctions(part, substitutions),
    locate: (inner, what) => template.locate([...pointer, ...inner], what),
    find: offset => {
      const found = template.find(offset)
      const isInside = pointer.every((key, index) => key === found.pointer[index])
      return isInside
        ? { ...found, pointer: found.pointer.slice(pointer.length) }
        : { pointer: [], part: 'value' }
    },
    problems: template.problems.filter(({ pointer: at }) => pointer.every((key, index) => at[index] === key)),
  }
}
