import { closest } from '@stepwright/errors/spelling'

/** Asks the user; undefined where the answer was refused by ending the input. */
export type Ask = (question: string, otherwise: string) => Promise<string>

/** Something to choose, and what it is. */
export type Choices<Name extends string> = Readonly<Record<Name, { readonly title: string }>>

/** The choice of that name, or number; a sentence where there is none. */
export function choose<Name extends string>(
  what: string,
  given: string,
  choices: Choices<Name>,
): { readonly name: Name } | { readonly problem: string } {
  const names = Object.keys(choices) as Name[]
  const name = names.find((each, index) => each === given || String(index + 1) === given)
  if (name !== undefined) return { name }
  const meant = closest(given, names)
  const hint = meant === undefined ? `There are ${names.join(', ')}.` : `Did you mean "${meant}"?`
  return { problem: `There is no ${what} "${given}". ${hint}` }
}

/** The choices, as lines to choose from. */
export function listChoices<Name extends string>(choices: Choices<Name>): string {
  return Object.entries<{ readonly title: string }>(choices)
    .map(([name, { title }], index) => `  ${index + 1}  ${name.padEnd(11)} ${title}\n`)
    .join('')
}
