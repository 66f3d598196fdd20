const row = [
  'gateway',
  's3',
  'dynamoDb',
  'stepFunctions',
  'lambda',
  'sqs',
  'sns',
  'eventBridge',
  'mailbox',
  'postgres',
] as const

export type PortOf = (service: (typeof row)[number]) => { readonly port?: number }

/** Which port each service is to have: one after the other from the first, or any free one without it. */
export function portsFrom(first: number | undefined): PortOf {
  if (first === undefined) return () => ({})
  const most = 65_535 - row.length + 1
  if (!Number.isInteger(first) || first < 1024 || first > most)
    throw new TypeError(`firstPort must be a whole number from 1024 to ${most}, not ${first}`)
  return service => ({ port: first + row.indexOf(service) })
}
