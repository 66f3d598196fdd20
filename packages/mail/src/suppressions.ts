/** Why nothing more is sent to an address. */
export type SuppressionReason = 'bounced' | 'complained' | 'unsubscribed'

export interface Suppression {
  /** As `parseEmailAddress` writes addresses. */
  readonly address: string
  readonly reason: SuppressionReason
  /** What it was said about, such as a campaign; for people to read. */
  readonly source: string
}

/** The addresses that nothing more is sent to. */
export interface Suppressions {
  /** One that is there stays as it is. How many were new. */
  add(suppressions: readonly Suppression[]): Promise<number>
  /** Those of the addresses that are there, with the reason. */
  find(addresses: readonly string[]): Promise<ReadonlyMap<string, SuppressionReason>>
}
