import { TextDecoder } from 'node:util'
import type { Encoding } from '../src/dialect/dialect.ts'

/** Encodes text; the Japanese tables are turned around from what the decoder makes of every byte pair. */
export function encode(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'UTF-8':
      return Buffer.from(text)
    case 'ISO-8859-1':
      return Buffer.from(text, 'latin1')
    case 'Windows-1252':
      return Buffer.from(
        text.replaceAll('€', '\x80').replaceAll('’', '\x92').replaceAll('Ÿ', '\x9f'),
        'latin1',
      )
    case 'UTF-16LE':
      return Buffer.from(text, 'utf16le')
    case 'UTF-16BE':
      return Buffer.from(text, 'utf16le').swap16()
    case 'ISO-2022-JP':
      return encodeJis(text)
    default: {
      const table = tableOf(encoding)
      return Buffer.concat(
        Array.from(text, character => {
          const bytes = table.get(character)
          if (!bytes) throw new RangeError(`${encoding} has no ${character}`)
          return bytes
        }),
      )
    }
  }
}

/** As RFC 1468 has it: back to ASCII before every mark and every line end. */
function encodeJis(text: string): Buffer {
  const parts = text.match(/[ -~\s]+|[^ -~\s]+/g) ?? []
  return Buffer.concat(
    parts.map(part =>
      part.charCodeAt(0) < 0x80
        ? Buffer.from(part)
        : Buffer.concat([
            Buffer.from('\x1b$B'),
            encode(part, 'EUC-JP').map(byte => byte & 0x7f),
            Buffer.from('\x1b(B'),
          ]),
    ),
  )
}

const tables = new Map<Encoding, Map<string, Buffer>>()

function tableOf(encoding: Encoding): Map<string, Buffer> {
  let table = tables.get(encoding)
  if (table) return table
  table = new Map()
  const decoder = new TextDecoder(encoding, { fatal: true })
  const add = (...bytes: number[]): void => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes))
      if ([...text].length === 1 && !table?.has(text)) table?.set(text, Buffer.from(bytes))
    } catch {
      // No character.
    }
  }
  for (let lead = 0; lead < 256; lead += 1) {
    add(lead)
    if (lead >= 0x80) for (let trail = 0x40; trail < 256; trail += 1) add(lead, trail)
  }
  tables.set(encoding, table)
  return table
}
