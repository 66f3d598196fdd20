import { badRequest } from './bad-request.ts'

/** Throws as SES does for an address that no mail could go to; a name may stand before it, as in `Ann <ann@example.com>`. */
export function assertAddress(text: string): void {
  const address = bareAddress(text)
  const at = address.lastIndexOf('@')
  if (at === -1) throw badRequest("Missing final '@domain'")
  assertLocalPart(address.slice(0, at))
  assertDomain(address.slice(at + 1))
}

/** The address without the name before it. */
export function bareAddress(text: string): string {
  return (/^(?:"(?:[^"\\]|\\.)*"\s*|[^<>"]*)<([^<>]*)>$/.exec(text.trim())?.[1] ?? text).trim()
}

function assertLocalPart(local: string): void {
  if (local === '') throw badRequest('Missing local name')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be found
  if (/[\s\u0000-\u001f\u007f]/.test(local)) throw badRequest('Local address contains control or whitespace')
  if (!/^[\x21-\x7e]+$/.test(local) || /[()<>,;:\\"[\]@]/.test(local)) {
    throw badRequest('Local address contains illegal character')
  }
}

function assertDomain(domain: string): void {
  if (domain === '') throw badRequest('Missing domain')
  if (/\s/.test(domain)) throw badRequest('Domain contains control or whitespace')
  if (!/^[A-Za-z0-9.-]+$/.test(domain)) throw badRequest('Domain contains illegal character')
  if (domain.startsWith('.')) throw badRequest('Domain starts with dot')
  if (domain.endsWith('.')) throw badRequest('Domain ends with dot')
  if (domain.includes('..')) throw badRequest('Domain contains dot-dot')
}
