export interface Order {
  readonly chunk: number
  readonly chunkSize: number
}

export type Report =
  | { readonly chunk: number; readonly event: 'ready' | 'started' }
  | { readonly chunk: number; readonly event: 'written' | 'recorded'; readonly inserted: number }

export function chunkRows(chunk: number, chunkSize: number): { id: number; email: string }[] {
  return Array.from({ length: chunkSize }, (_, i) => {
    const id = chunk * chunkSize + i
    return { id, email: `${(id * 7919) % 1_000_003}@example.com` }
  })
}
