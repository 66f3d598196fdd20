/** The oldest Node that runs the command; `engines` in package.json says the same. */
export const oldestNode = '22.18'

/** What is wrong with the version of Node, and what to do; undefined if nothing is. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return `stepwright needs Node ${oldestNode} or later, and this is Node ${version}. Install a newer one: https://nodejs.org.`
}
