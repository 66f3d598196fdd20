import { isDeepStrictEqual } from 'node:util'
import type { Finding, Fix } from '../finding.ts'
import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import { formatPointer, type Pointer, under } from '../source/pointer.ts'
import type { Source } from '../source/source.ts'
import { type PrintStyle, printJson, styleOf } from './print.ts'
import { type Edit, yamlEdits } from './yaml-edit.ts'

/**
 * The text with the findings' fixes made. Only Retry and Catch are touched, every other
 * character and comment stays as it is. Fixes that overlap are left for another round.
 */
export function applyFixes(source: Source, findings: readonly Finding[]): string {
  const fixes = chooseFixes(findings.flatMap(({ fix }) => (fix === undefined ? [] : [fix])))
  const style = styleOf(source.text)
  const edits =
    source.format === 'json'
      ? fixes.flatMap(fix => toEdit(fix, source, style) ?? [])
      : [...yamlEdits(source.text, fixes, before)]
  const { text } = source
  const parts: string[] = []
  let from = text.length
  for (const edit of edits.sort((a, b) => b.start - a.start)) {
    if (edit.end > from) continue
    parts.push(text.slice(edit.end, from), edit.text)
    from = edit.start
  }
  return [...parts, text.slice(0, from)].reverse().join('')
}

/** One fix for each place; the innermost first, since what is outside may look different then. */
function chooseFixes(fixes: readonly Fix[]): readonly Fix[] {
  const byPlace = new Map<string, Fix>()
  const outer = new Set<string>()
  for (const fix of fixes) {
    const { pointer, value } = fix
    if (value === undefined || !pointer.some(key => key === 'Retry' || key === 'Catch')) continue
    byPlace.set(formatPointer(pointer), fix)
    for (let depth = 1; depth < pointer.length; depth += 1) outer.add(formatPointer(pointer.slice(0, depth)))
  }
  return [...byPlace].filter(([place]) => !outer.has(place)).map(([, fix]) => fix)
}

function toEdit({ pointer, value }: Fix, source: Source, style: PrintStyle): Edit | undefined {
  if (value === undefined) return undefined
  const parent = valueAt(source.value, pointer.slice(0, -1))
  const key = pointer.at(-1)
  if (isObject(parent) && typeof key === 'string' && !Object.hasOwn(parent, key))
    return insert(pointer, key, value, parent, source, style)
  const existing = valueAt(source.value, pointer)
  if (existing === undefined || isDeepStrictEqual(existing, value)) return undefined
  const { start, end } = source.locate(pointer)
  return { start, end, text: printOver(value, existing, pointer, source, style) }
}

/** Prints an array again, with the elements that it keeps as they were written. */
function printOver(value: Json, existing: Json, pointer: Pointer, source: Source, style: PrintStyle): string {
  const margin = marginAt(source.text, source.locate(pointer).start)
  if (!isArray(value) || !isArray(existing)) return printJson(value, margin, style)
  const { start, end } = source.locate(pointer)
  const lines = style.indent !== '' && source.text.slice(start, end).includes('\n')
  const inner = lines ? margin + style.indent : margin
  const elements = value.map(item => {
    const index = existing.findIndex(old => isDeepStrictEqual(old, item))
    if (index === -1) return printJson(item, inner, lines ? style : { ...style, indent: '' })
    const place = source.locate(under(pointer, index))
    return source.text.slice(place.start, place.end)
  })
  if (!lines) return `[${elements.join(', ')}]`
  return `[${style.newline}${elements.map(element => inner + element).join(`,${style.newline}`)}${style.newline}${margin}]`
}

/** Where a new field goes: before the transition, where people look for it. */
const before = ['Catch', 'Next', 'End']

function insert(
  pointer: Pointer,
  key: string,
  value: Json,
  parent: { readonly [key: string]: Json },
  source: Source,
  style: PrintStyle,
): Edit | undefined {
  const anchor = before.find(name => name !== key && Object.hasOwn(parent, name)) ?? Object.keys(parent)[0]
  if (anchor === undefined) return undefined
  const { start } = source.locate([...pointer.slice(0, -1), anchor], 'key')
  const head = source.text.slice(0, start)
  const gap = head.slice(head.trimEnd().length)
  const ownLine = gap.includes('\n')
  const margin = marginAt(source.text, start)
  const printed = printJson(value, margin, ownLine ? style : { ...style, indent: '' })
  return {
    start,
    end: start,
    text: `${JSON.stringify(key)}: ${printed},${ownLine ? gap.slice(gap.lastIndexOf('\n') - (gap.includes('\r\n') ? 1 : 0)) : ' '}`,
  }
}

function marginAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

function valueAt(value: Json, pointer: Pointer): Json | undefined {
  let found: Json | undefined = value
  for (const key of pointer) {
    if (isArray(found)) found = found[key as number]
    else if (isObject(found) && Object.hasOwn(found, key)) found = found[key]
    else return undefined
  }
  return found
}
