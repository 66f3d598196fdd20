import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { AuditStore, PackHead, PackRecord } from '@stepwright/audit-log'
import { createMemoryAuditStore } from '@stepwright/audit-log/memory'

/** A store of one trail whose blocks are in a file, so that only a verification's own memory is seen. */
export interface FilePacks {
  readonly store: AuditStore
  remove(): void
}

/** Blocks must be put in the order of their keys. */
export function createFilePacks(): FilePacks {
  const path = join(tmpdir(), `audit-packs-${process.pid}`)
  const file = openSync(path, 'w+')
  const places: { readonly key: string; readonly at: number; readonly bytes: number }[] = []
  let end = 0

  function read({ at, bytes }: { readonly at: number; readonly bytes: number }): PackRecord {
    const buffer = Buffer.allocUnsafe(bytes)
    readSync(file, buffer, 0, bytes, at)
    return deserialize(buffer)
  }

  const store: AuditStore = {
    ...createMemoryAuditStore(),
    async putPack(pack) {
      const bytes = serialize(pack)
      places.push({ key: pack.packKey, at: end, bytes: bytes.byteLength })
      writeSync(file, bytes, 0, bytes.byteLength, end)
      end += bytes.byteLength
      return pack
    },
    async *readPacks({ after = '' }) {
      for (const place of places) if (place.key > after) yield read(place)
    },
    async *readPackHeads(): AsyncGenerator<PackHead> {
      for (const place of places) yield read(place)
    },
  }
  return {
    store,
    remove() {
      closeSync(file)
      rmSync(path)
    },
  }
}
