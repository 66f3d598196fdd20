import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findSecrets } from './find-secrets.ts'
import { scanFiles } from './scan-files.ts'

/** Put together here, so that this file has none. */
const planted: readonly (readonly [kind: string, secret: string])[] = [
  ['an AWS access key id', `${'AKIA'}${'Q3EGRZ5B7KXWJ2TN'}`],
  ['an AWS access key id', `${'ASIA'}${'Q3EGRZ5B7KXWJ2TN'}`],
  ['an AWS secret access key', `aws_secret_access_key = ${'wJalrXUtnFEMIK7MDENGbPxRfiCY0123456789+/'}`],
  ['an AWS secret access key', `"secretAccessKey": "${'wJalrXUtnFEMIK7MDENGbPxRfiCY0123456789+/'}"`],
  ['a private key', `-----BEGIN ${'RSA PRIVATE'} KEY-----\nMIIEow`],
  ['a private key', `-----BEGIN ${'PRIVATE'} KEY-----\nMIIEow`],
  ['a GitHub token', `ghp_${'a1B2'.repeat(9)}`],
  ['a GitHub token', `github_pat_${'a1B2_'.repeat(12)}`],
  ['an npm token', `npm_${'a1B2'.repeat(9)}`],
  ['an npm token', `//registry.npmjs.org/:${'_authToken'}=${'0123-4567-89ab-cdef'}`],
  ['a Slack token', `xoxb-${'123456789012-abcdef'}`],
  ['a Stripe key', `sk_live_${'a1B2'.repeat(6)}`],
  ['a Google API key', `AIza${'a1B2_'.repeat(7)}`],
  ['a signed token', `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiJhbm4ifQ'}.${'a1B2'.repeat(8)}`],
  ['a password in an address', `postgres://app:${'hunter2'}@db.internal.corp.jp/app`],
]

describe('findSecrets', () => {
  it.each(planted)('finds %s', (kind, secret) => {
    expect(findSecrets(`one\nconst it = '${secret}'\n`)).toEqual([{ kind, line: 2 }])
  })

  it.each([
    ['the key of the documentation', 'AKIAIOSFODNN7EXAMPLE'],
    ['the secret of the documentation', `secretAccessKey: '${'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'}'`],
    ['a hash', `sha512-${'a1B2'.repeat(20)}`],
    ['a variable', `//registry.npmjs.org/:_authToken=\${NPM_TOKEN}`],
    ['a local address', 'postgres://postgres:postgres@127.0.0.1:5432/app'],
    ['a placeholder', `postgres://app:\${password}@db.internal.corp.jp/app`],
    ['words about a key', 'it must begin with -----BEGIN PRIVATE KEY-----'],
  ])('leaves %s alone', (_, text) => {
    expect(findSecrets(text)).toEqual([])
  })
})

describe('scanFiles', () => {
  const directory = mkdtempSync(join(tmpdir(), 'stepwright-secrets-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  it('looks at what is tracked or would be, not at what is ignored, binary or deleted', async () => {
    const [, secret] = planted[0] ?? ['', '']
    const git = (...args: string[]) => execFileSync('git', args, { cwd: directory })
    git('init', '-q')
    for (const name of ['tracked.ts', 'gone.ts', 'new.ts', 'ignored.ts']) {
      writeFileSync(join(directory, name), `\n\n${secret}\n`)
    }
    writeFileSync(join(directory, 'binary'), `\0${secret}`)
    writeFileSync(join(directory, '.gitignore'), 'ignored.ts\n')
    git('add', 'tracked.ts', 'gone.ts', 'binary')
    rmSync(join(directory, 'gone.ts'))
    const found = await scanFiles(directory)
    expect(found.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
      { file: 'new.ts', kind: 'an AWS access key id', line: 3 },
      { file: 'tracked.ts', kind: 'an AWS access key id', line: 3 },
    ])
  })
})
