import { gzipSync } from 'node:zlib'
import { compare, figure } from '@stepwright/bench'
import { openBrowser, whyNoBrowser } from '@stepwright/browser'
import { toGraph } from '../src/graph.ts'
import { layoutGraph } from '../src/layout.ts'
import { largeMachine } from '../test/large-machine.ts'
import { bundleElement } from '../test/page.ts'
import { measurePan } from './measure-pan.ts'

const script = await bundleElement()
figure('graph.bundle_gzip_kb', gzipSync(script).length / 1000, { atMost: 40 })

const machine = largeMachine(2000)
const times = await compare('lay out 2,000 states', {
  ours: () => layoutGraph(toGraph(machine)).nodes.length,
})
figure('graph.layout_2000_ms', times.ours.medianMs, { atMost: 1000 })

if (whyNoBrowser() === undefined) {
  await using browser = await openBrowser()
  const page = await browser.newPage()
  await page.setContent(
    '<!doctype html><style>body{margin:0}asl-graph{height:100vh}</style><asl-graph></asl-graph>',
  )
  await page.addScriptTag({ content: script, type: 'module' })
  await page.waitForFunction('customElements.get("asl-graph")')
  const show = (definition: object) =>
    page.evaluate(`document.querySelector('asl-graph').definition = ${JSON.stringify(definition)}`)
  // Without a graphics card, frames of a page with one state are what can be had here at best.
  await show(largeMachine(1))
  const empty = await measurePan(page)
  await show(machine)
  const full = await measurePan(page)
  await page.getByRole('button', { name: 'Fit into the window' }).click()
  const fitted = await measurePan(page)
  console.log('pan, ms a frame: one state', empty, '2,000 states', full, '2,000 states, small', fitted)
  figure('graph.pan_2000_frame_ms', full.p95Ms, { atMost: 17.5 })
}
