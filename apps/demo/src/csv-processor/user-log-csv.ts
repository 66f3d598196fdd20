/** A user log as the design has it; every `badEvery`th row has a count that is no number. */
export function userLogCsv(rows: number, badEvery: number): string {
  const lines = ['ユーザーID,ログイン回数,投稿回数']
  for (let row = 1; row <= rows; row += 1) {
    const logins = row % badEvery === 0 ? '五回' : String(row % 9)
    lines.push(`U${String(row).padStart(5, '0')},${logins},${row % 4}`)
  }
  return `${lines.join('\n')}\n`
}
