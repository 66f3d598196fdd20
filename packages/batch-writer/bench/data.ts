export const chunk = 5_000

export type Value = string | number | Date

/** A table, its rows, and the same rows as a file for psql. */
export interface Dataset {
  readonly table: string
  readonly definition: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
  /** What an upsert sets where the key is taken; empty if it leaves the row alone. */
  readonly updated: readonly string[]
  readonly count: number
  row(index: number): Record<string, Value>
}

/** As a campaign's import has them, in no order. */
export const recipients: Dataset = {
  table: 'recipients',
  definition: `(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, campaign_id bigint NOT NULL,
    email text NOT NULL, name text, UNIQUE (campaign_id, email))`,
  columns: ['campaign_id', 'email', 'name'],
  key: ['campaign_id', 'email'],
  updated: [],
  count: 200_000,
  row(index) {
    const person = (index * 7_919) % 200_000
    return { campaign_id: 7, email: `person.${person}@example${person % 100}.com`, name: `Person ${person}` }
  },
}

/** As a user log has them, by id. */
export const users: Dataset = {
  table: 'users',
  definition: `(user_id bigint PRIMARY KEY, email text NOT NULL, login_count int NOT NULL,
    post_count int NOT NULL, seen_at timestamptz)`,
  columns: ['user_id', 'email', 'login_count', 'post_count', 'seen_at'],
  key: ['user_id'],
  updated: ['login_count', 'post_count', 'seen_at'],
  count: 1_000_000,
  row(index) {
    return {
      user_id: index,
      email: `user.${index}@example.com`,
      login_count: (index * 31) % 1_000,
      post_count: (index * 17) % 100,
      seen_at: new Date(1_700_000_000_000 + index * 1_000),
    }
  },
}

export type Row = Record<string, Value>

export function rowsOf({ row }: Dataset, from: number, to: number): Row[] {
  return Array.from({ length: to - from }, (_, i) => row(from + i))
}

export function chunksOf(dataset: Dataset): Row[][] {
  return Array.from({ length: dataset.count / chunk }, (_, i) => rowsOf(dataset, i * chunk, (i + 1) * chunk))
}
