import { type ObjectStore, readJson, replaceJson } from '@stepwright/object-store'
import type { JsonObjects } from '@stepwright/partitions'

/** The small objects of a bucket: manifests, fingerprints, types. */
export function toJsonObjects(store: Pick<ObjectStore, 'get' | 'put'>): JsonObjects {
  return {
    read: (key, schema, options) => readJson(store, key, schema, options),
    replace: (key, value, before, options) => replaceJson(store, key, value, before, options),
  }
}
