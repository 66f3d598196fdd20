/** A chunk of a job, with whatever else is needed to read it. */
export interface ChunkEntry {
  readonly jobId: string
  /** Its name in the ledger, or the place in the file that csv-chunker says: then its index is the name. */
  readonly chunk: string | { readonly index: number }
}

/** What Step Functions' ItemBatcher makes of a job and its chunks. */
export interface EntryBatch {
  readonly BatchInput: { readonly jobId: string }
  readonly Items: readonly ChunkEntry['chunk'][]
}

/** The entries that an input stands for. */
export type EntryOf<Input> = Input extends EntryBatch
  ? Input['BatchInput'] & { readonly chunk: Input['Items'][number] }
  : Input extends ChunkEntry
    ? Input
    : never

/** An entry for each chunk of a batch, or the input itself. */
export function toEntries<Input extends ChunkEntry | EntryBatch>(input: Input): readonly EntryOf<Input>[] {
  const entries = 'Items' in input ? input.Items.map(chunk => ({ ...input.BatchInput, chunk })) : [input]
  return entries as unknown as readonly EntryOf<Input>[]
}

const indexDigits = 6

/** The name of a chunk in the ledger. Those of indexes sort as the chunks lie in the file. */
export function toChunkName(chunk: ChunkEntry['chunk']): string {
  return typeof chunk === 'string' ? chunk : String(chunk.index).padStart(indexDigits, '0')
}
