import type { PhysicalNames } from '@stepwright/app'

const stagePattern = /^[a-z][a-z0-9-]*$/

/** What AWS takes, in characters. */
const maxLengths: Readonly<Record<keyof PhysicalNames, number>> = {
  functions: 64,
  workflows: 80,
  buckets: 63,
  tables: 255,
  queues: 80,
  deadLetterQueues: 80,
  glueJobs: 255,
  configurationSets: 64,
  catalogDatabases: 255,
}

/** An account's number, and the longest names of regions. */
const accountLength = 12
const maxRegionLength = 14

/**
 * That AWS will take the names, before a deployment finds out halfway.
 * @throws TypeError that names the one that is too long, or the stage
 */
export function assertNames(names: PhysicalNames, stage: string | undefined): void {
  if (stage !== undefined && !stagePattern.test(stage))
    throw new TypeError(
      `the stage must be lower-case letters, digits and "-", the first a letter; it is ${JSON.stringify(stage)}`,
    )
  for (const [kind, max] of Object.entries(maxLengths) as [keyof PhysicalNames, number][])
    for (const name of Object.values(names[kind])) {
      const { length } = withLongestPlaces(name)
      if (length > max)
        throw new TypeError(
          `the name ${name} (${kind}) may have ${max} characters, and would have up to ${length}`,
        )
    }
}

/** RDS takes no hyphen at the end and no two in a row; the proxy's name has 64 characters, with its suffix. */
const databasePattern = /^(?!.*--).{1,54}(?<!-)$/

/** @throws TypeError for a cluster and proxy that cannot be called so */
export function assertDatabaseName(name: string): void {
  if (databasePattern.test(name)) return
  throw new TypeError(
    `the database cannot be called ${name}: it must have 1 to 54 characters, no "-" at the end and no "--"; change the stage or the app's name`,
  )
}

/** As long as it can become when it is deployed. */
export function withLongestPlaces(text: string): string {
  return text
    .replaceAll(`\${AWS::AccountId}`, 'x'.repeat(accountLength))
    .replaceAll(`\${AWS::Region}`, 'x'.repeat(maxRegionLength))
}
