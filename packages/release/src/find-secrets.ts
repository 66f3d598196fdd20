export interface FoundSecret {
  /** What it looks like, never the thing itself. */
  readonly kind: string
  /** From 1. */
  readonly line: number
}

/** Each with the form that its issuer gives it, so that prose and hashes are not taken for one. */
const forms: readonly (readonly [kind: string, form: RegExp])[] = [
  ['an AWS access key id', /\b(?:AKIA|ASIA|ABIA|ACCA)(?![A-Z2-7]*EXAMPLE)[A-Z2-7]{16}\b/g],
  [
    'an AWS secret access key',
    /secret_?access_?key["']?\s*[:=]\s*["']?(?![\w/+]*EXAMPLE)[\w/+]{40}(?![\w/+=])/gi,
  ],
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[\w+/=]/g],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})/g],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b|_authToken\s*=\s*["']?[\w-]{16,}/g],
  ['a Slack token', /\bxox[abeprs]-[\w-]{10,}|hooks\.slack\.com\/services\/T\w+\/B\w+\/\w+/g],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{16,}/g],
  ['a Google API key', /\bAIza[\w-]{35}(?![\w-])/g],
  ['a signed token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/g],
  [
    'a password in an address',
    /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@'"`${}<>]+:[^\s:/@'"`${}<>]+@(?!localhost|127\.|\[|[\w.-]*\.?example\b|host\b)[\w-]+\.[\w.-]+/gi,
  ],
]

/** What in a text looks like a secret that must not be published. */
export function findSecrets(text: string): readonly FoundSecret[] {
  return forms.flatMap(([kind, form]) =>
    [...text.matchAll(form)].map(({ index }) => ({ kind, line: text.slice(0, index).split('\n').length })),
  )
}
