import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly help: string
    readonly nodes: readonly { readonly target: readonly unknown[] }[]
  }[]
}

/** What axe-core finds serious or critical on the page as it is now, a line each. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger and not as a script element, so a strict content policy does not refuse it.
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(node => node.target.join(' ')).join(', ')})`)
}
