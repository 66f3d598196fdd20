import { markdownTable } from './markdown-table.ts'

/** So many executions at once, of so many rows each. */
export interface Load {
  readonly rows: number
  readonly executions: number
}

/** Runs the loads one after the other, and prints how their times grow, as a table in Markdown. */
export async function printGrowth(
  loads: readonly Load[],
  run: (load: Load) => Promise<void>,
  now: () => number = performance.now.bind(performance),
): Promise<void> {
  const measured: (readonly string[])[] = []
  for (const load of loads) {
    const before = now()
    await run(load)
    const seconds = (now() - before) / 1000
    const rate = Math.round((load.rows * load.executions) / seconds)
    measured.push([
      load.rows.toLocaleString('en'),
      String(load.executions),
      seconds.toFixed(seconds < 10 ? 2 : 0),
      rate.toLocaleString('en'),
    ])
  }
  console.log(markdownTable(['rows each', 'executions at once', 'seconds', 'rows a second'], measured))
}
