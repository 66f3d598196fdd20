import { gzipSync } from 'node:zlib'
import { randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import { isTaskError } from '@stepwright/errors'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectSample } from '../src/open/detect.ts'
import { readChunk, readRows } from '../src/read/read-rows.ts'
import { createBytesSource } from '../src/source/byte-source.ts'
import { splitToManifest } from '../src/split/split.ts'
import { lintForItemReader } from '../src/validate/item-reader.ts'
import { validate } from '../src/validate/validate.ts'
import { randomCsv } from './random-csv.ts'

/** 1,000 rounds are 100,000 inputs. */
const inputsPerRound = 100
const usualRounds = 20
/** Growth over the whole run; what the run itself needs is below it. */
const maxGrowthMb = 256
/** Of the processor, for all that is done with one input of a few KiB. */
const maxInputMs = 500

type Random = () => number

/** Anything at all: noise, marks only, or a good file that was damaged. */
function damage(bytes: Buffer, random: Random): Buffer {
  const at = (): number => Math.floor(random() * (bytes.length + 1))
  switch (Math.floor(random() * 7)) {
    case 0:
      return Buffer.from(Array.from({ length: at() }, () => Math.floor(random() * 256)))
    case 1:
      return Buffer.from(
        Array.from({ length: at() }, () => '",;|\t\r\n\\=a\0'.charCodeAt(Math.floor(random() * 11))),
      )
    case 2:
      return bytes.subarray(0, at())
    case 3: {
      const flipped = Buffer.from(bytes)
      for (let times = 0; times < 5; times += 1) flipped[at()] = Math.floor(random() * 256)
      return flipped
    }
    case 4:
      return Buffer.concat([bytes.subarray(0, at()), Buffer.from('"'), bytes.subarray(at())])
    case 5:
      return Buffer.concat([bytes.subarray(at()), bytes.subarray(0, at())])
    default: {
      const zipped = gzipSync(bytes)
      zipped[Math.floor(random() * zipped.length)] = Math.floor(random() * 256)
      return zipped
    }
  }
}

/** Only a refusal is a failure that may be. */
async function orRefusal(call: () => Promise<void>): Promise<boolean> {
  try {
    await call()
    return true
  } catch (error) {
    if (!isTaskError(error) || error.name !== 'CSVValidationError') throw error
    return false
  }
}

describe('whatever the input', () => {
  it('it is read or refused: no crash, no hang, no growth', async () => {
    const rounds = chaosRounds(usualRounds)
    const before = process.memoryUsage().rss
    let read = 0
    let slowestMs = 0
    for (let round = 0; round < rounds; round += 1) {
      const random = randomFrom(round)
      const files = fc.sample(randomCsv, { numRuns: inputsPerRound, seed: round })
      for (const file of files) {
        const bytes = damage(file.bytes, random)
        const before = process.cpuUsage()
        const source = createBytesSource(bytes)
        const simd = random() < 0.5
        const limits = { maxRowBytes: 1 + Math.floor(random() * 4096), maxColumns: 64 }
        const options = random() < 0.5 ? { simd, limits } : { simd, limits, dialect: file.dialect }
        detectSample(bytes)
        let rows = 0
        const whole = await orRefusal(async () => {
          for await (const batch of readRows(source, options)) rows += batch.rows.length
        })
        const answer = await validate(source, { ...options, formulas: 'error' })
        expect(answer.statistics.validationErrors.length).toBeLessThanOrEqual(101)
        if (answer.isValid) expect([whole, answer.rowCount]).toEqual([true, rows])
        await orRefusal(async () => {
          await lintForItemReader(source, options)
        })
        await orRefusal(async () => {
          const split = { ...options, rowsPerChunk: 3, blockBytes: 32 }
          const manifest = await splitToManifest(source, split)
          let again = 0
          for (const chunk of manifest.chunks) {
            for await (const batch of readChunk(source, manifest, chunk, { simd, limits }))
              again += batch.rows.length
          }
          if (whole) expect([manifest.rowCount, again]).toEqual([rows, rows])
        })
        if (whole) read += 1
        const { user, system } = process.cpuUsage(before)
        slowestMs = Math.max(slowestMs, (user + system) / 1000)
      }
    }
    expect(read).toBeGreaterThan(0)
    expect(slowestMs).toBeLessThan(maxInputMs)
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(maxGrowthMb)
  }, 600_000)
})
