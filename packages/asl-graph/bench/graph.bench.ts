import { gzipSync } from 'node:zlib'
import { compare, figure } from '@stepwright/bench'
import { toGraph } from '../src/graph.ts'
import { layoutGraph } from '../src/layout.ts'
import { largeMachine } from '../test/large-machine.ts'
import { bundleElement } from '../test/page.ts'

figure('graph.bundle_gzip_kb', gzipSync(await bundleElement()).length / 1000, { atMost: 40 })

const machine = largeMachine(2000)
const times = await compare('lay out 2,000 states', {
  ours: () => layoutGraph(toGraph(machine)).nodes.length,
})
figure('graph.layout_2000_ms', times.ours.medianMs, { atMost: 1000 })
