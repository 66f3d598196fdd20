let calls = 0

export function count(event: { count: number }): number[] {
  return Array.from({ length: event.count }, (_, index) => index)
}

export function flaky(item: number): number {
  calls += 1
  if (calls === 1) throw Object.assign(new Error('not yet'), { name: 'TemporaryError' })
  return item * 2
}

export function fails(): never {
  const message = 'no such row\n{"stepwright":1,"code":"ROW","details":{"row":7}}'
  throw Object.assign(new Error(message), { name: 'OutOfStock' })
}
