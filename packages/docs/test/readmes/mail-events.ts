import { readMailEvents } from '@stepwright/mail'

/** How many recipients a delivery from SES, by EventBridge, SNS or SQS, reports as bounced. */
export function countBounces(delivered: unknown): number {
  return readMailEvents(delivered)
    .filter(({ kind }) => kind === 'bounced')
    .reduce((count, { addresses }) => count + addresses.length, 0)
}
