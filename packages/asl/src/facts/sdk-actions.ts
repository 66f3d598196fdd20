import { closest } from '@stepwright/errors/spelling'
import { remember } from '../remember.ts'
import { sdkActionsVersion, sdkActionTable } from './sdk-actions.generated.ts'

/** The actions of a service of the AWS SDK, as Step Functions writes both; `undefined` for a service that is not listed. */
export const sdkActionsOf: (service: string) => ReadonlySet<string> | undefined = remember(service => {
  const start = sdkActionTable.indexOf(`\n${service} `)
  if (start === -1) return undefined
  const line = sdkActionTable.slice(start + service.length + 2, sdkActionTable.indexOf('\n', start + 1))
  return new Set(
    line.split(' ').flatMap(group => {
      const [verb = '', rests = ''] = group.split(':')
      return rests.split(',').map(rest => verb + rest)
    }),
  )
})

export function sdkServices(): readonly string[] {
  return sdkActionTable
    .trim()
    .split('\n')
    .map(line => line.slice(0, line.indexOf(' ')))
}

/** Why an SDK integration is wrong, or only not known; what was probably meant. */
export interface SdkProblem {
  /** `refused` where it is a misspelling, `unknown` where it may be newer than the table. */
  readonly kind: 'refused' | 'unknown'
  readonly message: string
  readonly suggestion?: string | undefined
}

/** More letters than that are not a typing mistake, but perhaps a name that is newer than the table. */
const maxTypos = 2

export function sdkProblem(service: string, action: string): SdkProblem | undefined {
  const actions = sdkActionsOf(service)
  if (actions === undefined) {
    const meant = findTypo(service, sdkServices())
    return problemOf(`The AWS SDK has no service "${service}"`, meant, meant && `aws-sdk:${meant}`)
  }
  if (actions.has(action)) return undefined
  const meant = findTypo(action, actions)
  return problemOf(`${service} has no action "${action}"`, meant, meant && `aws-sdk:${service}:${meant}`)
}

function problemOf(what: string, meant: string | undefined, written: string | undefined): SdkProblem {
  return meant === undefined
    ? { kind: 'unknown', message: `${what} in the models of botocore ${sdkActionsVersion}.` }
    : { kind: 'refused', message: `${what}.`, suggestion: `Did you mean "${written}"?` }
}

/** What a typing mistake meant; a name that ends later or has another number may be a newer version of it. */
function findTypo(word: string, candidates: Iterable<string>): string | undefined {
  const meant = closest(word, candidates, Math.min(maxTypos, Math.max(1, Math.floor(word.length / 4))))
  if (meant === undefined) return undefined
  const [given, found] = [word.toLowerCase(), meant.toLowerCase()]
  if (given === found) return meant
  const newer = given.startsWith(found) || given.replaceAll(/\d/g, '') === found.replaceAll(/\d/g, '')
  return newer ? undefined : meant
}
