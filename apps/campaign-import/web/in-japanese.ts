/** What the API says of rows and files, for staff; what is not here is shown as it is. */
const sentences: Readonly<Record<string, string>> = {
  'this is no e-mail address': 'メールアドレスではありません',
  'there is no address': 'メールアドレスがありません',
  EMAIL_COLUMN_MISSING:
    'メールアドレスの列がありません。見出しを「email」か「メールアドレス」にしてください。',
  TOO_MANY_REJECTED_ROWS: 'メールアドレスのない行が多すぎます。',
  NO_RECIPIENTS: '宛先が1件もありません。',
  COLUMN_COUNT: '列の数が見出しと違います。',
}

export function inJapanese(text: string, code = ''): string {
  return sentences[code] ?? sentences[text] ?? text
}
