import { type Binding, type BucketResource, bindFrom, type Rights, reference } from '@stepwright/app/bindings'
import { ValidationError } from '@stepwright/errors'
import { assertCovered } from './covered-keys.ts'
import type { ObjectStore } from './object-store.ts'
import { withRecentRanges } from './recent-ranges.ts'

type BucketRight = Rights['bucket']

/** The methods of a store that each right allows. */
interface Allowed {
  readonly read: 'head' | 'get' | 'list' | 'presignGet'
  readonly write: 'put' | 'upload' | 'presignPut'
  readonly delete: 'delete' | 'deleteMany'
}

type VerbOf<Right> = Right extends `${infer Verb} ${string}` ? Verb : Right

/** A store with the methods that the rights allow, and no others. */
export type ObjectsFor<Right extends BucketRight> = Pick<ObjectStore, Allowed[VerbOf<Right> & keyof Allowed]>

/**
 * The objects of a bucket: `objects(files, 'read uploads/*', 'write chunks/*')`. A call for a key that no right covers
 * is an `UnexpectedError` that says which right is missing, before S3 answers "Access Denied".
 */
export function objects<Right extends BucketRight>(
  bucket: BucketResource,
  ...may: readonly Right[]
): Binding<ObjectsFor<Right>> {
  return bindFrom(reference(bucket, ...may), async name => {
    const { createS3ObjectStore } = await import('./s3-object-store.ts')
    return assertCovered(createS3ObjectStore({ bucket: name }), bucket.name, may)
  })
}

/**
 * The stores of several buckets, by the bucket name that an event carries:
 * `storesByName([input, 'read data/*'], [output, 'write results/*'])`. Another name is a `ValidationError`.
 */
export function storesByName<Right extends BucketRight>(
  ...grants: readonly (readonly [BucketResource, ...Right[]])[]
): Binding<(bucket: string | undefined) => ObjectsFor<Right>> {
  const all = grants.map(([bucket, ...may]) => ({
    name: reference(bucket, ...may),
    store: objects(bucket, ...may),
  }))
  const named = Object.fromEntries(
    all.map((each, index) => [String(index), bindFrom(each, ({ name, store }) => [name, store] as const)]),
  )
  return bindFrom(named, opened => {
    const stores = new Map(Object.values(opened))
    return name => {
      const store = name === undefined ? undefined : stores.get(name)
      if (store !== undefined) return store
      throw new ValidationError(
        name === undefined
          ? 'the input names no bucket; it must name one of the buckets that the function is bound to'
          : 'the input names a bucket that the function is not bound to; bind it with storesByName',
      )
    }
  })
}

/** The store of an app with one bucket, for tasks whose input may name one: whatever it names, it is this store. */
export function storeOf<Store>(store: Binding<Store>): Binding<(bucket: string | undefined) => Store> {
  return bindFrom(store, opened => () => opened)
}

/** The same stores, which keep recently read ranges until they are read once more: for a function that reads a chunk twice. */
export function recentRanges<Store extends Pick<ObjectStore, 'get'>>(
  stores: Binding<(bucket: string | undefined) => Store>,
): Binding<(bucket: string | undefined) => Store> {
  return bindFrom(stores, of => {
    const kept = new Map<Store, Store>()
    return bucket => {
      const store = of(bucket)
      const known = kept.get(store) ?? withRecentRanges(store)
      kept.set(store, known)
      return known
    }
  })
}
