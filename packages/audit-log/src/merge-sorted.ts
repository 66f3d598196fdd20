/** Items of several sorted streams as one; of equal ones, those of an earlier stream come first. */
export async function* mergeSorted<T>(
  streams: readonly AsyncIterable<T>[],
  compare: (a: T, b: T) => number,
): AsyncGenerator<T> {
  const iterators = streams.map(stream => stream[Symbol.asyncIterator]())
  try {
    let heads = (await Promise.all(iterators.map(next))).filter(head => head !== undefined)
    while (heads.length > 1) {
      const head = heads.reduce((least, one) => (compare(one.value, least.value) < 0 ? one : least))
      yield head.value
      const following = await next(head.iterator)
      heads = following
        ? heads.map(one => (one === head ? following : one))
        : heads.filter(one => one !== head)
    }
    const [last] = heads
    if (last === undefined) return
    yield last.value
    yield* { [Symbol.asyncIterator]: () => last.iterator }
  } finally {
    await Promise.all(iterators.map(iterator => iterator.return?.()))
  }
}

interface Head<T> {
  readonly iterator: AsyncIterator<T>
  readonly value: T
}

async function next<T>(iterator: AsyncIterator<T>): Promise<Head<T> | undefined> {
  const { done, value } = await iterator.next()
  return done ? undefined : { iterator, value }
}
