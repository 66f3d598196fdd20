/** What the API says of rows and files, for staff; what is not here is shown as it is. */
const sentences: Readonly<Record<string, string>> = {
  'this is no e-mail address': 'メールアドレスではありません',
  'there is no address': 'メールアドレスがありません',
  EMAIL_COLUMN_MISSING:
    'メールアドレスの列がありません。見出しを「email」か「メールアドレス」にしてください。',
  EMAIL_COLUMN_TWICE: 'メールアドレスの列が2つあります。どちらかを削除するか、見出しを変えてください。',
  SEPARATOR_LINE: '1行目の「sep=」はExcel用の行です。この行を削除してください。',
  TOO_MANY_REJECTED_ROWS: 'メールアドレスのない行が多すぎます。',
  NO_RECIPIENTS: '宛先が1件もありません。',
  COLUMN_COUNT: '列の数が見出しと違います。',
  SENDER_AT_WORK: '送信中の通知が残っています。30秒ほど待ってから、もう一度お試しください。',
  NOBODY_UNCONFIRMED: '未確認の宛先はありません。',
  NOT_CANCELLABLE: '送信中か終了済みのため、取り消せません。送信中なら、先に一時停止してください。',
}

export function inJapanese(text: string, code = ''): string {
  return sentences[code] ?? sentences[text] ?? text
}
