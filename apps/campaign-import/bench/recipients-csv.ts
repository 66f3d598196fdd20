import { writeFile } from 'node:fs/promises'
import { cachedFile } from '@stepwright/bench'

export const rowCount = 200_000

/** 200,000 recipients in no order of their addresses, with Japanese names, some of them quoted: about 9 MB. */
export function recipientsCsv(): Promise<string> {
  return cachedFile('campaign-200k-v1.csv', async path => {
    const lines = ['email,name']
    for (let index = 0; index < rowCount; index += 1) {
      const mixed = (index * 7_919_777) % 10_000_019
      const name = index % 5 === 0 ? `"山田 ""${index}"", 太郎"` : `鈴木 花子${index}`
      lines.push(`user.${mixed}.${index}@example${mixed % 97}.co.jp,${name}`)
    }
    await writeFile(path, `${lines.join('\n')}\n`)
  })
}
