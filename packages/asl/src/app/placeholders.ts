import type { App } from '@stepwright/app'
import { closest } from '@stepwright/errors/spelling'
import { pseudoParameters } from '../expressions/placeholder.ts'
import type { Report } from '../finding.ts'
import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'
import type { Source } from '../source/source.ts'

interface Placeholder {
  readonly name: string
  readonly pointer: Pointer
}

/** Every `${Name}` of a definition, with its place. */
export function placeholdersOf(source: Source): readonly Placeholder[] {
  const found: Placeholder[] = []
  const visit = (value: Json, pointer: Pointer): void => {
    if (typeof value === 'string') {
      for (const [, name = ''] of value.matchAll(/\$\{([^{}!]+)\}/g)) found.push({ name, pointer })
    } else if (isArray(value))
      value.forEach((item, index) => {
        visit(item, under(pointer, index))
      })
    else if (isObject(value))
      for (const [key, field] of Object.entries(value)) visit(field, under(pointer, key))
  }
  visit(source.value, [])
  return found
}

/** `${Name}` that is neither a function of the app nor a substitution of the workflow. */
export function checkPlaceholders(app: App, workflow: string, source: Source, report: Report): void {
  const known = [
    ...Object.keys(app.functions),
    ...Object.keys(app.workflows?.[workflow]?.substitutions ?? {}),
    ...Object.keys(pseudoParameters),
  ]
  for (const { name, pointer } of placeholdersOf(source)) {
    if (known.includes(name)) continue
    const meant = closest(name, known)
    report(
      'app/unknown-placeholder',
      pointer,
      `Nothing stands for \${${name}}: the app has no function of this name.`,
      {
        suggestion:
          meant === undefined
            ? `Declare the function, or give the workflow ${workflow} a substitution ${name}.`
            : `Did you mean \${${meant}}?`,
      },
    )
  }
}
