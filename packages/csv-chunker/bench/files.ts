import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { cachedFile, randomFrom } from '@stepwright/bench'

type Random = () => number

const familyNames = [
  '佐藤',
  '鈴木',
  '高橋',
  '田中',
  '伊藤',
  '渡辺',
  '山本',
  '中村',
  '小林',
  '加藤',
  '髙﨑',
  '𠮷田',
]
const givenNames = ['蓮', '陽葵', '湊', '凛', '樹', '結菜', '悠真', '紬', 'さくら', 'エリザベス']
const phrases = [
  'お世話になっております。',
  'ご注文の商品を発送しました。',
  'meeting at the station, 10:30',
  'say "hello" to everyone',
  'line one\nline two',
  '住所が変わりました\r\nご確認ください',
  'plain words without any surprise',
  '🎉 おめでとうございます',
  'a, b; c | d',
  '電話番号は 03-1234-5678 です。',
]

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

function recipientRow(row: number, random: Random): string {
  const id = Math.floor(random() * 1e12).toString(36)
  return `user${row}.${id}@mail.example.jp,${pick(familyNames, random)}${pick(givenNames, random)},${Math.floor(random() * 47) + 1}\n`
}

function narrowRow(row: number, random: Random): string {
  return `U${String(row).padStart(7, '0')},${Math.floor(random() * 10_000)},${Math.floor(random() * 10_000)}\n`
}

function quotedRow(row: number, random: Random): string {
  const notes = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(phrases, random)).join(' ')
  return `${row},${quote(`${pick(familyNames, random)} ${pick(givenNames, random)}`)},customer${row}@example.jp,${quote(notes)},${(random() * 10_000).toFixed(2)},${quote(pick(phrases, random))}\n`
}

function generator(
  header: string,
  makeRow: (row: number, random: Random) => string,
  enough: (rows: number, bytes: number) => boolean,
) {
  return async (path: string): Promise<void> => {
    const random = randomFrom(1)
    const file = createWriteStream(path)
    let pending = `${header}\n`
    let bytes = 0
    for (let row = 1; ; row += 1) {
      pending += makeRow(row, random)
      const done = enough(row, bytes + pending.length)
      if (pending.length < 1 << 20 && !done) continue
      const block = Buffer.from(pending)
      bytes += block.length
      pending = ''
      if (!file.write(block)) await once(file, 'drain')
      if (done) break
    }
    file.end()
    await finished(file)
  }
}

export function recipientsFile(): Promise<string> {
  return cachedFile(
    'csv-recipients-200k-seed1-v2.csv',
    generator('email,name,prefecture', recipientRow, rows => rows === 200_000),
  )
}

export function narrowFile(): Promise<string> {
  return cachedFile(
    'csv-narrow-5m-seed1-v2.csv',
    generator('id,logins,posts', narrowRow, rows => rows === 5_000_000),
  )
}

/** With quotes, embedded newlines and Japanese text. */
export function quotedFile(megabytes: 64 | 1024 = 1024): Promise<string> {
  return cachedFile(
    `csv-quoted-${megabytes}mb-seed1-v1.csv`,
    generator('id,name,email,notes,amount,reply', quotedRow, (_, bytes) => bytes >= megabytes * 1024 ** 2),
  )
}
