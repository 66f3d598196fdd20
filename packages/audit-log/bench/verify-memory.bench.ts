import { createAuditLog, type NewAuditEntry, parseAuditKeys } from '@stepwright/audit-log'
import { figure } from '@stepwright/bench'
import { createFilePacks } from './file-packs.ts'

const [small, large] = [1_000_000, 10_000_000]
const executionId = 'user-log-20240802-001'
const keys = parseAuditKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`)

async function* entries(count: number): AsyncGenerator<readonly NewAuditEntry[]> {
  for (let first = 0; first < count; first += 1000) {
    yield Array.from({ length: 1000 }, (_, n) => ({
      executionId,
      itemIndex: first + n,
      logType: 'SUCCESS',
      timestamp: '2024-08-02T12:34:56.789Z',
      userRecord: { ユーザーID: '[redacted]', ログイン回数: `${n % 7}`, 投稿回数: `${n % 13}` },
    }))
  }
}

/** How much a verification adds to the process, stopped in the middle and gone on with from its checkpoint. */
async function measure(count: number): Promise<{ grownMb: number; perSecond: number }> {
  const { store, remove } = createFilePacks()
  const log = createAuditLog({ store, keys })
  await log.appendAll(entries(count))
  const { mac } = await log.seal(executionId, { items: { first: 0, count } })
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  let checkpoint: string | undefined
  let checkpoints = 0
  const stop = new AbortController()
  const started = performance.now()
  const look = (text: string): void => {
    checkpoint = text
    checkpoints += 1
    peak = Math.max(peak, process.memoryUsage.rss())
    if (checkpoints * 100_000 >= count / 2) stop.abort()
  }
  const options = { mac, checkpointBlocks: 100, onCheckpoint: look }
  await log.verify(executionId, { ...options, signal: stop.signal }).catch(() => undefined)
  const result = await log.verify(executionId, { ...options, checkpoint })
  const seconds = (performance.now() - started) / 1000
  remove()
  if (!result.ok || result.entries !== count) throw new Error('the trail is not what it should be')
  const grownMb = (peak - before) / 1_000_000
  console.log(
    `${count.toLocaleString('en').padStart(10)} entries: ${seconds.toFixed(1)} s, ${Math.round(grownMb)} MB more`,
  )
  return { grownMb, perSecond: count / seconds }
}

const few = await measure(small)
const many = await measure(large)
figure('audit.verify_10m.vs_1m', many.perSecond / few.perSecond, { atLeast: 0.8 })
figure('audit.verify_10m.grown_mb', many.grownMb, { atMost: 64 })
