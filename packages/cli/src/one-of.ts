import { closest } from '@stepwright/errors/spelling'
import { UsageError } from './io.ts'

/** The value of an option that has to be one of a few. @throws UsageError that says what was probably meant */
export function oneOf<Choice extends string>(
  option: string,
  given: string,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find(choice => choice === given)
  if (chosen !== undefined) return chosen
  const meant = closest(given, choices)
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
  throw new UsageError(`${option} is one of ${choices.join(', ')}, not "${given}".${hint}`)
}

/** Refuses the name of something that there is not. @throws UsageError that says what was probably meant */
export function refuseUnknown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const meant = closest(name, known)
  throw new UsageError(
    `There is no ${what} ${name}. ${meant === undefined ? listed(known) : `Did you mean ${meant}?`}`,
  )
}

const maxListed = 20

function listed(known: readonly string[]): string {
  const more = known.length - maxListed
  if (known.length === 0) return 'There are none.'
  return `There are ${known.slice(0, maxListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}
