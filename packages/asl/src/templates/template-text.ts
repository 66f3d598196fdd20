import { pseudoParameters, type Substitutions, substitute } from '../expressions/placeholder.ts'
import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'
import type { Source } from '../source/source.ts'
import { joinTexts, type MappedText, mapString, substituteMapped, textAt } from './mapped-text.ts'

/** Stands for what only the deployment knows. */
const anything = `\${?}`

/** The text that a function of the template gives; what is known only at deployment stays as `${LogicalId.Arn}`. */
function textOf(value: Json): string | undefined {
  if (typeof value === 'string') return value
  if (!isObject(value)) return undefined
  const reference = referenceOf(value)
  if (reference !== undefined) return reference
  const template = value['Fn::Sub']
  if (typeof template === 'string') return template
  if (isArray(template) && typeof template[0] === 'string')
    return substitute(template[0], readSubstitutions(template[1]))
  const join = value['Fn::Join']
  if (isArray(join) && typeof join[0] === 'string' && isArray(join[1]))
    return join[1].map(part => textOf(part) ?? anything).join(join[0])
  return undefined
}

/** As `textOf`, with the place of each character in the template. */
export function mappedTextOf(template: Source, pointer: Pointer, value: Json): MappedText | undefined {
  const { start, end } = template.locate(pointer)
  if (typeof value === 'string') return mapString(template.text, start, end, value)
  if (!isObject(value)) return undefined
  const sub = value['Fn::Sub']
  if (typeof sub === 'string') return mappedTextOf(template, under(pointer, 'Fn::Sub'), sub)
  if (isArray(sub) && typeof sub[0] === 'string') {
    const text = mappedTextOf(template, under(pointer, 'Fn::Sub', 0), sub[0])
    return text && substituteMapped(text, readSubstitutions(sub[1]))
  }
  const join = value['Fn::Join']
  if (isArray(join) && typeof join[0] === 'string' && isArray(join[1])) {
    const at = under(pointer, 'Fn::Join', 1)
    const parts = join[1].map(
      (part, index) =>
        mappedTextOf(template, under(at, index), part) ??
        textAt(anything, template.locate(under(at, index)).start),
    )
    return joinTexts(parts, join[0])
  }
  const text = textOf(value)
  return text === undefined ? undefined : textAt(text, start)
}

function referenceOf(value: { readonly [key: string]: Json }): string | undefined {
  if (typeof value['Ref'] === 'string') return `\${${value['Ref']}}`
  const attribute = value['Fn::GetAtt']
  if (typeof attribute === 'string') return `\${${attribute}}`
  return isArray(attribute) ? `\${${attribute.join('.')}}` : undefined
}

/** What DefinitionSubstitutions, or the second part of Fn::Sub, says. */
export function readSubstitutions(value: Json | undefined): Substitutions {
  if (!isObject(value)) return {}
  const read = Object.entries(value).map(
    ([name, each]) => [name, typeof each === 'object' ? textOf(each) : String(each)] as const,
  )
  return Object.fromEntries(read.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])))
}

/** A definition written in the template itself, with its functions' texts and the values of `${Name}` in place. */
export function resolveFunctions(value: Json, substitutions: Substitutions): Json {
  const values = { ...pseudoParameters, ...substitutions }
  const resolve = (each: Json): Json => {
    if (typeof each === 'string') return substitute(each, values)
    if (isArray(each)) return each.map(resolve)
    if (!isObject(each)) return each
    const keys = Object.keys(each)
    const only = keys.length === 1 ? keys[0] : undefined
    if (only === 'Ref' || only?.startsWith('Fn::')) return substitute(textOf(each) ?? anything, values)
    return Object.fromEntries(Object.entries(each).map(([key, field]) => [key, resolve(field)]))
  }
  return resolve(value)
}
