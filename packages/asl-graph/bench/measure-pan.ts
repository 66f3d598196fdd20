import type { TestBrowser } from '@stepwright/browser'

type Page = Awaited<ReturnType<TestBrowser['newPage']>>

const seconds = 3

/** How long frames take while the mouse drags the picture, one step after another as quickly as they are taken. */
export async function measurePan(page: Page): Promise<{ readonly medianMs: number; readonly p95Ms: number }> {
  await page.mouse.move(300, 700)
  await page.evaluate(
    `globalThis.times = []; globalThis.isMeasuring = true; (function tick(ms) { times.push(ms); if (isMeasuring) requestAnimationFrame(tick) })(performance.now())`,
  )
  const started = performance.now()
  while (performance.now() - started < seconds * 1000) {
    await page.mouse.down()
    for (let y = 700; y > 60; y -= 8) await page.mouse.move(300, y)
    await page.mouse.up()
    await page.mouse.move(300, 700)
  }
  const times = (await page.evaluate('isMeasuring = false, times')) as number[]
  const frames = times
    .slice(2)
    .map((time, index) => time - (times[index + 1] ?? 0))
    .sort((a, b) => a - b)
  const at = (share: number): number => Number((frames[Math.floor(frames.length * share)] ?? 0).toFixed(1))
  return { medianMs: at(0.5), p95Ms: at(0.95) }
}
