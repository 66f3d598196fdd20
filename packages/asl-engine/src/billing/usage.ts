/** What AWS bills of executions. */
export interface BilledUsage {
  /** Of Standard executions. */
  readonly transitions: number
  readonly expressRequests: number
  /** How long Express executions took, each rounded up to a tenth of a second. */
  readonly expressMs: number
}

export const noUsage: BilledUsage = { transitions: 0, expressRequests: 0, expressMs: 0 }

const billedStepMs = 100

/** What an Express execution that took so long adds. */
export function expressUsage(durationMs: number): BilledUsage {
  const steps = Math.max(1, Math.ceil(durationMs / billedStepMs))
  return { ...noUsage, expressRequests: 1, expressMs: steps * billedStepMs }
}

export function addUsage(a: BilledUsage, b: BilledUsage): BilledUsage {
  return {
    transitions: a.transitions + b.transitions,
    expressRequests: a.expressRequests + b.expressRequests,
    expressMs: a.expressMs + b.expressMs,
  }
}

/** In US dollars. */
export interface Prices {
  readonly transition: number
  readonly expressRequest: number
  readonly expressGbSecond: number
}

/** Those of most regions, without what is free of charge and without discounts. */
export const awsPrices: Prices = {
  transition: 0.000025,
  expressRequest: 0.000001,
  expressGbSecond: 0.00001667,
}

/** AWS bills memory in steps of 64 MB; how much an execution takes there is not known here. */
const expressGb = 64 / 1024

/** What the usage costs, in US dollars; an Express execution is taken for one that needs 64 MB. */
export function priceOf(usage: BilledUsage, prices: Prices = awsPrices): number {
  return (
    usage.transitions * prices.transition +
    usage.expressRequests * prices.expressRequest +
    (usage.expressMs / 1000) * expressGb * prices.expressGbSecond
  )
}
