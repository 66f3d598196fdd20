import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import { parseJson } from '../source/parse-json.ts'
import type { Pointer } from '../source/pointer.ts'
import type { Source } from '../source/source.ts'
import { sourceOfValue } from '../source/source-of-value.ts'

/** A state machine found in a CloudFormation or SAM template. */
export interface TemplateMachine {
  readonly logicalId: string
  readonly type: 'STANDARD' | 'EXPRESS'
  /** The definition, where the template holds it. */
  readonly source?: Source
  /** The file that holds it, relative to the template, where SAM's DefinitionUri names one. */
  readonly file?: string
  /** What `${Name}` in that file stands for. */
  readonly substitutions: Readonly<Record<string, string>>
}

/** Stands for what only the deployment knows. */
const anything = `\${?}`

/** Whether the document is a CloudFormation or SAM template. */
export function isTemplate(value: Json): boolean {
  return isObject(value) && isObject(value['Resources']) && !Object.hasOwn(value, 'States')
}

/** The state machines of a template, as CDK's synth or SAM write them. */
export function findMachines(template: Source): readonly TemplateMachine[] {
  const resources = isObject(template.value) ? template.value['Resources'] : undefined
  if (!isObject(resources)) return []
  return Object.entries(resources).flatMap(([logicalId, resource]): TemplateMachine[] => {
    if (!isObject(resource) || !isObject(resource['Properties'])) return []
    const kind = resource['Type']
    if (kind !== 'AWS::StepFunctions::StateMachine' && kind !== 'AWS::Serverless::StateMachine') return []
    const properties = resource['Properties']
    const type = (properties['StateMachineType'] ?? properties['Type']) === 'EXPRESS' ? 'EXPRESS' : 'STANDARD'
    const substitutions = readSubstitutions(properties['DefinitionSubstitutions'])
    const at = ['Resources', logicalId, 'Properties']
    const base = { logicalId, type, substitutions } as const
    if (properties['Definition'] !== undefined) {
      return [{ ...base, source: subSource(template, [...at, 'Definition'], substitutions) }]
    }
    const text =
      properties['DefinitionString'] === undefined ? undefined : toText(properties['DefinitionString'])
    if (text !== undefined)
      return [
        { ...base, source: textSource(substitute(text, substitutions), `${template.file}#${logicalId}`) },
      ]
    const uri = properties['DefinitionUri']
    return typeof uri === 'string' ? [{ ...base, file: uri }] : []
  })
}

/** Puts the substitutions' values in place of `${Name}`; names that it does not know stay. */
function substitute(text: string, substitutions: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{([^}!]+)\}/g, (whole, name: string) => substitutions[name] ?? whole)
}

function readSubstitutions(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {}
  const read = Object.entries(value).map(
    ([name, each]) => [name, typeof each === 'object' ? toText(each) : String(each)] as const,
  )
  return Object.fromEntries(read.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])))
}

/** The text that a function of the template gives; what is known only at deployment stays as `${LogicalId.Arn}`. */
function toText(value: Json): string | undefined {
  if (typeof value === 'string') return value
  if (!isObject(value)) return undefined
  if (typeof value['Ref'] === 'string') return `\${${value['Ref']}}`
  const attribute = value['Fn::GetAtt']
  if (typeof attribute === 'string') return `\${${attribute}}`
  if (isArray(attribute)) return `\${${attribute.join('.')}}`
  const template = value['Fn::Sub']
  if (typeof template === 'string') return template
  if (isArray(template) && typeof template[0] === 'string')
    return substitute(template[0], readSubstitutions(template[1]))
  const join = value['Fn::Join']
  if (isArray(join) && typeof join[0] === 'string' && isArray(join[1])) {
    return join[1].map(part => toText(part) ?? anything).join(join[0])
  }
  return undefined
}

/** A file that a template names, with the template's values in place of `${Name}`; positions stay the file's. */
export function withSubstitutions(source: Source, substitutions: Readonly<Record<string, string>>): Source {
  return {
    ...source,
    value: resolveFunctions(source.value, substitutions),
  }
}

/** A definition held as text is mostly one line; it is printed again, so that positions say something. */
function textSource(text: string, file: string): Source {
  const parsed = parseJson(text, { file })
  return parsed.broken || parsed.problems.length > 0 ? parsed : sourceOfValue(parsed.value, file)
}

/** A part of a template as a source of its own, with positions in the template. */
function subSource(
  template: Source,
  pointer: Pointer,
  substitutions: Readonly<Record<string, string>>,
): Source {
  const part = pointer.reduce<Json | undefined>(
    (value, key) => (isObject(value) ? value[key] : undefined),
    template.value,
  )
  return {
    ...template,
    value: resolveFunctions(part ?? null, substitutions),
    problems: template.problems,
    locate: (inner, what) => template.locate([...pointer, ...inner], what),
  }
}

function resolveFunctions(value: Json, substitutions: Readonly<Record<string, string>>): Json {
  if (typeof value === 'string') return substitute(value, substitutions)
  if (isArray(value)) return value.map(item => resolveFunctions(item, substitutions))
  if (!isObject(value)) return value
  const keys = Object.keys(value)
  const only = keys.length === 1 ? keys[0] : undefined
  if (only === 'Ref' || only?.startsWith('Fn::')) return toText(value) ?? anything
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, resolveFunctions(field, substitutions)]),
  )
}
