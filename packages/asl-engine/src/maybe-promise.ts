/** States that need no waiting answer at once: a machine of Pass and Choice runs without a single await. */
export type MaybePromise<T> = T | Promise<T>

export const isPromise = <T>(value: MaybePromise<T>): value is Promise<T> => value instanceof Promise

export const chain = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  isPromise(value) ? value.then(next) : next(value)
