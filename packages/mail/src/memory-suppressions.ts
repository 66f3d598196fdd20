import type { Suppression, Suppressions } from './suppressions.ts'

export interface MemorySuppressions extends Suppressions {
  readonly all: () => readonly Suppression[]
}

export function createMemorySuppressions(): MemorySuppressions {
  const byAddress = new Map<string, Suppression>()
  return {
    all: () => [...byAddress.values()],
    async add(suppressions) {
      const before = byAddress.size
      for (const each of suppressions) if (!byAddress.has(each.address)) byAddress.set(each.address, each)
      return byAddress.size - before
    },
    async find(addresses) {
      const found = addresses.flatMap(address => byAddress.get(address) ?? [])
      return new Map(found.map(({ address, reason }) => [address, reason]))
    },
  }
}
