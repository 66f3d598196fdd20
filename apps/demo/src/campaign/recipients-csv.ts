const families = ['佐藤', '鈴木', '高橋', '田中', '伊藤', '渡辺', '山本', '中村']
const givens = ['陽葵', '蓮', '結菜', '湊', '凛', '樹', '芽依', '蒼']

/** A list of recipients as people have it: a header, Japanese names in quotes, one address a row. */
export function recipientsCsv(count: number): Uint8Array {
  const lines = ['email,name']
  for (let row = 0; row < count; row += 1) {
    const name = `${families[row % families.length]} ${givens[(row * 7) % givens.length]}`
    lines.push(`user${String(row).padStart(6, '0')}@example.com,"${name}"`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}

/** The same list with one quote too few, as an editor leaves it behind. */
export function brokenCsv(count: number, brokenRow: number): Uint8Array {
  const lines = Buffer.from(recipientsCsv(count)).toString('utf8').split('\r\n')
  lines[brokenRow] = lines[brokenRow]?.replace(/"$/, '') ?? ''
  return Buffer.from(lines.join('\r\n'))
}
