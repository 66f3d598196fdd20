import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range that Linux (32768) and macOS (49152) hand out by themselves,
// so that nothing takes the port while a server is being restarted.
const lowest = 20_000
const highest = 32_000

/** A loopback port that was free a moment ago: another process may still be faster, so callers retry. */
export async function pickFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    probe.listen(port, '127.0.0.1')
    await once(probe, 'listening')
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}
