/** A user log of so many rows; `bad` makes some of them what no count can be. */
export interface UserLogOptions {
  readonly rows: number
  readonly bad?: readonly number[]
  readonly header?: string
  /** How many users there are; rows beyond repeat them. @default one a row */
  readonly users?: number
}

const japaneseHeader = 'ユーザーID,ログイン回数,投稿回数'

export function toUserLog({ rows, bad = [], header = japaneseHeader, users = rows }: UserLogOptions): string {
  const isBad = new Set(bad)
  const lines = [header]
  for (let row = 1; row <= rows; row += 1) {
    lines.push(`${userOf(row, users)},${isBad.has(row) ? 'たくさん' : row % 7},${row % 13}`)
  }
  return `${lines.join('\n')}\n`
}

function userOf(row: number, users: number): string {
  return `U${String(((row - 1) % users) + 1).padStart(6, '0')}`
}

/** What the table must hold after the log was reflected once: counts by user. */
export function toExpectedActivity({
  rows,
  bad = [],
  users = rows,
}: UserLogOptions): Map<string, [number, number]> {
  const isBad = new Set(bad)
  const expected = new Map<string, [number, number]>()
  for (let row = 1; row <= rows; row += 1) {
    if (isBad.has(row)) continue
    const user = userOf(row, users)
    const [logins, posts] = expected.get(user) ?? [0, 0]
    expected.set(user, [logins + (row % 7), posts + (row % 13)])
  }
  return expected
}
