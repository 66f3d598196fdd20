import { globSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP of a folder: the same bytes for the same files, whenever it is made. */
export async function zipDirectory(directory: string): Promise<Buffer> {
  const names = globSync('**/*', { cwd: directory })
    .filter(name => statSync(join(directory, name)).isFile())
    .sort()
  const files = await Promise.all(
    names.map(async name => ({ name, content: await readFile(join(directory, name)) })),
  )
  return zip(files)
}

interface ZipFile {
  readonly name: string
  readonly content: Buffer
}

/** 1 January 1980, where ZIP's time begins. */
const date = 0x0021
const readableByAll = 0o100644 << 16

function zip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of files) {
    const path = Buffer.from(name.replaceAll('\\', '/'))
    const packed = deflateRawSync(content, { level: 9 })
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0) // version
    common.writeUInt16LE(0x0800, 2) // UTF-8 names
    common.writeUInt16LE(8, 4) // deflate
    common.writeUInt16LE(date, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, packed])
    const central = Buffer.alloc(14)
    central.writeUInt32LE(readableByAll >>> 0, 6)
    central.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, central, path]))
    parts.push(local)
    offset += local.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listing, end])
}
