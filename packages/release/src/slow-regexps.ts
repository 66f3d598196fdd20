import { check } from 'recheck'

/** How a text must look for the expression to take super-linear time; undefined for one that never does. */
export async function attackOn(pattern: string, flags: string): Promise<string | undefined> {
  const result = await check(pattern, flags.replace('d', ''), { timeout: 10_000 })
  if (result.status === 'safe') return undefined
  if (result.status === 'unknown') return `not analysed: ${result.error.kind}`
  return `${result.complexity.summary} for ${result.attack.pattern}`
}
