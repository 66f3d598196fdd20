import type { StandardSchemaV1 } from '@standard-schema/spec'
import { TemporaryError } from '@stepwright/errors'
import {
  aBoolean,
  aFunction,
  anObject,
  aSignal,
  assertOptions,
  aText,
  type OptionChecks,
} from '@stepwright/errors/options'
import type { JsonObjects, ObjectOptions, Replaceable } from './json-objects.ts'

/** What a manifest says of the run that it publishes. */
export interface PublishedRun {
  /** What the keys of its files begin with. */
  readonly prefix: string
  /** The same of the run that it took the place of: its files stay until the next one, for those who still read. */
  readonly replaces?: string | undefined
}

export interface Publication<Manifest extends PublishedRun> extends ObjectOptions {
  readonly objects: JsonObjects
  readonly manifestKey: string
  readonly schema: StandardSchemaV1<unknown, Manifest>
  /** Where the files of this run are: a manifest with this prefix is its own, after a crash. */
  readonly prefix: string
  /** Whether the manifest of another run may be replaced. */
  readonly replace: boolean
  /** Whether the publisher still has the partition, asked last: `() => holdLock(lock, partition, token)`. */
  readonly isOwner: () => Promise<boolean>
  /** The manifest to publish, without `replaces`. Not called if it is published already. */
  build(current: Manifest | undefined): Promise<Manifest> | Manifest
}

const publicationChecks: OptionChecks = {
  objects: anObject,
  manifestKey: aText,
  schema: anObject,
  prefix: aText,
  replace: aBoolean,
  isOwner: aFunction,
  build: aFunction,
  signal: aSignal,
}

export type Published<Manifest> =
  | { readonly state: 'published'; readonly manifest: Manifest }
  /** Another run is in place, and must not be replaced. */
  | { readonly state: 'taken'; readonly manifest: Manifest }
  /** The lock is another's. */
  | { readonly state: 'fenced' }

/**
 * Publishes a run by replacing the manifest: a reader sees the old files or the new ones, and never some of both. After
 * a crash the next call goes on.
 * @throws TemporaryError where the manifest was replaced meanwhile
 */
export async function publishRun<Manifest extends PublishedRun>(
  publication: Publication<Manifest>,
): Promise<Published<Manifest>> {
  assertOptions('publishRun', publication, publicationChecks)
  const { objects, manifestKey, schema, prefix, replace, isOwner, build, signal } = publication
  const current = await objects.read(manifestKey, schema, { signal })
  if (current?.value.prefix === prefix) return { state: 'published', manifest: current.value }
  if (current && !replace) return { state: 'taken', manifest: current.value }
  const built = await build(current?.value)
  const manifest = withReplaced(built, current)
  if (!(await isOwner())) return { state: 'fenced' }
  if (await objects.replace(manifestKey, manifest, current, { signal }))
    return { state: 'published', manifest }
  throw new TemporaryError(`the manifest ${manifestKey} was replaced meanwhile`)
}

function withReplaced<Manifest extends PublishedRun>(
  manifest: Manifest,
  current: Replaceable<Manifest> | undefined,
): Manifest {
  return current ? { ...manifest, replaces: current.value.prefix } : manifest
}

/** The files of runs. */
export interface RunFiles {
  list(prefix: string, options?: ObjectOptions): AsyncIterable<{ readonly key: string }>
  deleteMany(keys: readonly string[], options?: ObjectOptions): Promise<void>
}

/** Deletes what lies below a prefix, except for what begins with one of those to keep. */
export async function clearRuns(
  files: RunFiles,
  below: string,
  keep: readonly (string | undefined)[],
  options: ObjectOptions = {},
): Promise<void> {
  const kept = keep.filter(prefix => prefix !== undefined)
  const old: string[] = []
  for await (const { key } of files.list(below, options)) {
    if (!kept.some(prefix => key.startsWith(prefix))) old.push(key)
  }
  if (old.length > 0) await files.deleteMany(old, options)
}
