import type { App, FunctionDeclaration } from '@stepwright/app'

/** Lambda keeps them for the functions of the account that reserve nothing. */
const unreserved = 100

/** How many concurrent executions the app's functions take from the account for themselves. */
export function reservedConcurrency(app: App): number {
  return Object.values<FunctionDeclaration>(app.functions).reduce(
    (sum, { concurrency = 0 }) => sum + concurrency,
    0,
  )
}

/** What is wrong where an account with that quota cannot give the functions what they reserve. */
export function concurrencyProblem(app: App, accountConcurrency: number): string | undefined {
  const reserved = reservedConcurrency(app)
  const free = Math.max(0, accountConcurrency - unreserved)
  if (reserved <= free) return undefined
  return `the functions reserve ${reserved} concurrent executions, but an account with ${accountConcurrency} can give ${free}, since ${unreserved} stay unreserved: lower \`concurrency\`, or ask AWS for a higher quota`
}
