import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, figure, forkServer, sendAll } from '@stepwright/bench'

const perRound = 2000
const content = 'x'.repeat(10_000)

async function start(kind: 'bare' | 's3', directory: string) {
  const home = join(directory, kind)
  await mkdir(home)
  return forkServer<{ putUrl: string; getUrl: string }>(join(import.meta.dirname, 'bench-server.ts'), [
    kind,
    home,
  ])
}

const directory = await mkdtemp(join(tmpdir(), 'stepwright-s3-bench-'))
try {
  await using bare = await start('bare', directory)
  await using ours = await start('s3', directory)
  const put = (url: string) => sendAll(url, perRound, () => content, {}, 'PUT')
  const get = (url: string) => sendAll(url, perRound, () => '', {}, 'GET')
  const puts = await compare('2,000 times PutObject of 10 KB, kept on disk', {
    bare: () => put(bare.putUrl),
    ours: () => put(ours.putUrl),
  })
  figure('s3.put.vs_bare_http', puts.bare.medianMs / puts.ours.medianMs, { atLeast: 0.35 })
  const gets = await compare('2,000 times GetObject of 10 KB', {
    bare: () => get(bare.getUrl),
    ours: () => get(ours.getUrl),
  })
  figure('s3.get.vs_bare_http', gets.bare.medianMs / gets.ours.medianMs, { atLeast: 0.3 })
} finally {
  await rm(directory, { recursive: true, force: true })
}
