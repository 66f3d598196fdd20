import { describe, expect, it } from 'vitest'
import { detectEncoding } from '../src/dialect/detect-encoding.ts'
import type { Encoding } from '../src/dialect/dialect.ts'
import { encode } from './encode.ts'

const names = ['佐藤', '高橋', '山田', '渡辺', '小林', '加藤']

function guess(text: string, encoding: Encoding) {
  return detectEncoding(encode(text, encoding))
}

describe('detectEncoding', () => {
  it.each<[Encoding, string]>([
    ['Shift_JIS', 'ﾔﾏﾀﾞ,ﾊﾅｺ'],
    ['Shift_JIS', 'ｱｲ,ｻｶﾓﾄ\nｲﾄ,ｶｺ\n'],
    ['Shift_JIS', 'ソニー,カメラ\n'],
    ['Shift_JIS', `name,kana\n${names.join(',x\n')}`],
    ['Shift_JIS', 'A社,東京\n'],
    ['EUC-JP', `name,kana\n${names.join(',x\n')}`],
    ['Shift_JIS', 'ｻﾄｳ\n'],
    ['Shift_JIS', 'ﾓﾘ,ﾕｳｺ\n'],
    ['EUC-JP', 'さくら,ひなた\n'],
    ['EUC-JP', 'はい\n'],
    ['EUC-JP', 'カナ\n'],
    ['EUC-JP', '日本,東京\n'],
    ['ISO-8859-1', 'cafés,François\n'],
    ['ISO-8859-1', 'Müller,Größe\n'],
    ['Windows-1252', 'it’s,the café’s\n'],
    ['Windows-1252', 'price,€5\n'],
    ['UTF-8', '髙﨑,𠮷田\n'],
  ])('knows %s: %s', (encoding, text) => {
    const { encoding: found, confidence } = guess(text, encoding)
    expect(found).toBe(encoding)
    expect(confidence).toBeGreaterThanOrEqual(0.55)
  })

  it('takes UTF-8 with a few broken bytes for UTF-8, wherever they are', () => {
    const text = Buffer.from(`氏名,住所\n${names.join(',東京都\n')}\n`)
    for (let at = 0; at < text.length; at += 1) {
      for (const broken of [0x80, 0xc3, 0xe3, 0xff]) {
        const bytes = Buffer.from(text)
        bytes[at] = broken
        expect(detectEncoding(bytes).encoding).toBe('UTF-8')
      }
    }
  })

  it.each([...names, '木村,橋本', '松本,森', '電話,価格', '加藤,木村,橋本', '山'])(
    'never takes EUC-JP for Shift_JIS without a doubt: %s',
    text => {
      const { encoding, confidence } = guess(`${text}\n`, 'EUC-JP')
      expect(encoding === 'EUC-JP' || confidence < 0.55).toBe(true)
    },
  )
})
