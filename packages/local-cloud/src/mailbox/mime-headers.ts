/** The header fields of a message in MIME, names in lower case, several of one name joined by commas. */
export function mimeHeaders(message: string): Readonly<Record<string, string>> {
  const [head = ''] = message.split(/\r?\n\r?\n/, 1)
  const fields: Record<string, string> = {}
  for (const line of head.replaceAll(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)) {
    const [, name = '', text = ''] = /^([^:\s]+):(.*)$/.exec(line) ?? []
    const value = text.trimStart()
    const before = fields[name.toLowerCase()]
    fields[name.toLowerCase()] = before === undefined ? value : `${before}, ${value}`
  }
  return fields
}

/** The addresses of a header field, with their names. */
export function splitAddresses(field: string | undefined): string[] {
  const parts = (field ?? '').match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []
  return parts.map(part => decodeWords(part.trim())).filter(Boolean)
}

/** Text with its encoded words (RFC 2047) read. */
export function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(
      /=\?([\w-]+)\?([BQ])\?([^?]*)\?=/gi,
      (_, charset: string, encoding: string, content: string) =>
        new TextDecoder(charset).decode(
          encoding.toUpperCase() === 'B' ? Buffer.from(content, 'base64') : unquote(content),
        ),
    )
}

function unquote(content: string): Buffer {
  const bytes = content
    .replaceAll('_', ' ')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
