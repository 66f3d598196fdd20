import assert from 'node:assert/strict'
import { app } from '@stepwright/async-generation'
import { breakDown, createGenerationClient } from '@stepwright/async-generation/client'
import { startApp } from '@stepwright/local-cloud'
import type { Screen } from '../screen.ts'

/** Long AI jobs, followed live through the gateway; what writes the texts here is no model. */
export async function showGeneration(screen: Screen): Promise<void> {
  screen.title('8. Long AI jobs: a goal becomes 8 sub-goals and 64 actions, streamed as they are made')
  await using running = await startApp(app, { environment: { POWERTOOLS_LOG_LEVEL: 'SILENT' } })
  const { gateway } = running
  assert.ok(gateway)
  const token = gateway.issueToken({ sub: 'ann' })
  const client = createGenerationClient({ endpoint: gateway.endpoint, token })
  const seen: number[] = []
  const { status, result } = await breakDown(client, 'Run a marathon', (progress, [first = '']) => {
    seen.push(progress)
    screen.line(`${String(progress).padStart(5)} %  ${first}, …`)
  })
  assert.equal(status, 'COMPLETED')
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
  assert.ok(Array.isArray(result?.['plan']) && result['plan'].length === 8)
  screen.line('8 parts, each kept as it came: a job that dies goes on with the next one')
}
