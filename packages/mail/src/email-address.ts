import { domainToASCII } from 'node:url'

/** As strict as mail servers: RFC 5321's lengths, one @; dots may follow each other, as docomo and au have them. */
const pattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-][a-z0-9!#$%&'*+/=?^_`{|}~.-]*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/

/**
 * The address as it is stored and compared: without blanks around it, in lower case, the domain in ASCII; undefined
 * if it is none.
 */
export function parseEmailAddress(text: string): string | undefined {
  // Most addresses are written as they are stored, and files have many.
  if (text.length <= 254 && text.indexOf('@') <= 64 && pattern.test(text)) return text
  const given = text.trim()
  const at = given.indexOf('@')
  if (at < 1 || at > 64 || given.length > 254) return undefined
  const local = given.slice(0, at)
  // In lower case the sign for Kelvin becomes a k: somebody else's address.
  if (!/^[!-~]*$/.test(local)) return undefined
  const address = `${local.toLowerCase()}@${toAsciiDomain(given.slice(at + 1))}`
  return address.length <= 254 && pattern.test(address) ? address : undefined
}

/** Node reads a domain as a URL's: what follows a slash or a question mark would be gone. Empty if it is none. */
function toAsciiDomain(domain: string): string {
  if (/^[ -~]*$/.test(domain)) return domain.toLowerCase()
  return /^(?:[a-z0-9.-]|[^ -~\p{Cc}])*$/iu.test(domain) ? domainToASCII(domain) : ''
}

export interface Sender {
  readonly from_address: string
  readonly from_name: string | null
}

const withName = /^(?:"((?:[^"\\]|\\["\\])*)"\s*|([^"<>,@;:\\]*))<([^<>]+)>$/

/** A sender in its parts: `info@example.jp`, `Example <info@example.jp>` or `"Example, Ltd." <info@example.jp>`. */
export function parseSender(text: string): Sender | undefined {
  const [, quoted, plain = '', inBrackets = text] = withName.exec(text.trim()) ?? []
  const from_address = parseEmailAddress(inBrackets)
  const name = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain.trim()
  if (from_address === undefined || !name.isWellFormed() || /[\p{Cc}\u2028\u2029]/u.test(text))
    return undefined
  return { from_address, from_name: name === '' ? null : name }
}

/** A sender as people write it, and `parseSender` reads it. */
export function writeSender({ from_address, from_name }: Sender): string {
  if (from_name === null) return from_address
  const isPlain = /^[^"<>,@;:\\]*$/.test(from_name) && from_name.trim() === from_name
  return `${isPlain ? from_name : quote(from_name)} <${from_address}>`
}

/** A sender as a header has it, in ASCII: other names are encoded words (RFC 2047). */
export function formatSender({ from_address, from_name }: Sender): string {
  if (from_name === null) return from_address
  return `${/^[ -~]*$/.test(from_name) ? quote(from_name) : encodeWords(from_name)} <${from_address}>`
}

/** An address as SES takes it: RFC 5322 wants quotes around dots that follow each other or come last. */
export function formatRecipient(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  return /\.\.|\.$/.test(local) ? `${quote(local)}${address.slice(at)}` : address
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

const maxEncodedBytes = 45 // 60 letters of base64: a word has at most 75 characters

function encodeWords(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text) {
    const fits = Buffer.byteLength(word + character) <= maxEncodedBytes
    if (!fits) words.push(word)
    word = fits ? word + character : character
  }
  return [...words, word].map(each => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`).join(' ')
}
