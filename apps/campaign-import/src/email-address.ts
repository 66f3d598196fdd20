/** Strict enough to catch what people mistype, and no stricter than mail servers: RFC 5321's lengths, one @. */
const pattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** The address as it is stored and compared: without blanks around it, in lower case; undefined if it is none. */
export function parseEmailAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase()
  return address.length <= 254 && address.indexOf('@') <= 64 && pattern.test(address) ? address : undefined
}

const inBrackets = /^[^<>\r\n]*<([^<>]+)>$/

/** A sender: `info@example.jp` or `Example <info@example.jp>`. */
export function isSender(text: string): boolean {
  return parseEmailAddress(inBrackets.exec(text)?.[1] ?? text) !== undefined
}
