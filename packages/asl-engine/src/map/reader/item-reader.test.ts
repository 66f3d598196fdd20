import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { ItemReader, StateMachine } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../engine.ts'
import { createVirtualClock } from '../../time/clock.ts'
import type { ObjectStorePort } from '../object-store.ts'

const csv = 'id,name\n1,a\n2,b\n'
const rows = [
  { id: '1', name: 'a' },
  { id: '2', name: 'b' },
]
/** Three rows: an INT64 `id`, the last too long for a number, and a `name`. */
const parquet = Buffer.from(
  'UEFSMRUGFTQVLFwVBhUAFQYVABUEFQAAAAMHGAQBAAkBAAIJByAAAQAAAAAAIAAVBhUYFRxcFQYVAhUGFQAVBBUAAAADAwokAQAAAGEBAAAAYhUEGTxIBHJvb3QVBAAVBCUCGAJpZAAVDCUCGARuYW1lJQAAFgYZHBksJggcFQQZFQAZGAJpZBUCFgYWVhZWJggAACZeHBUMGRUAGRgEbmFtZRUCFgYWRhZGJl4AABacARYGACgJaHlwYXJxdWV0AG8AAABQQVIx',
  'base64',
)
const files: Readonly<Record<string, string | Uint8Array>> = {
  'rows.csv': csv,
  'rows.csv.gz': gzipSync(csv),
  'rows.jsonl.zst': zstdCompressSync('{"n":1}\n{"n":2}\n'),
  'broken.csv.gz': 'no gzip',
  'rows.parquet': parquet,
  'object.json': '{"deep":{"a":1,"b":{"c":2}}}',
  'logs/': '',
  'logs/1.jsonl': '{"n":1}\n',
  'logs/2.jsonl': '{"n":2}\n{"n":3}\n',
  'athena.csv': 's3://b/logs/1.jsonl\ns3://b/logs/2.jsonl\n',
  'manifest.json': JSON.stringify({
    destinationBucket: 'arn:aws:s3:::b',
    fileFormat: 'CSV',
    fileSchema: 'Bucket, Key',
    files: [{ key: 'inventory.csv.gz' }],
  }),
  'inventory.csv.gz': gzipSync('"b","x"\n"b","y"\n'),
}

const objects: ObjectStorePort = {
  get: async function* get(_bucket, key) {
    const file = files[key]
    if (file === undefined) throw new Error(`no ${key}`)
    yield Buffer.from(file)
  },
  list: async function* list(_bucket, prefix = '') {
    for (const key of Object.keys(files).sort()) {
      if (key.startsWith(prefix)) yield { key, size: 1, etag: 'e', lastModified: new Date(0) }
    }
  },
  put: async () => ({ etag: '' }),
}

async function read(reader: Partial<ItemReader>, more: object = {}, input: unknown = {}) {
  const definition: StateMachine = {
    StartAt: 'M',
    States: {
      M: {
        Type: 'Map',
        ...(reader.Resource === undefined &&
        reader.ReaderConfig === undefined &&
        reader.Parameters === undefined
          ? {}
          : { ItemReader: { Resource: 'arn:aws:states:::s3:getObject', ...reader } }),
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' },
          StartAt: 'P',
          States: { P: { Type: 'Pass', End: true } },
        },
        ...more,
        End: true,
      },
    },
  }
  const result = await createEngine({ definition, clock: createVirtualClock(), objects }).run(input).result
  return result.status === 'SUCCEEDED' ? result.output : result
}

function file(Key: string) {
  return { Bucket: 'b', Key }
}

describe('an ItemReader', () => {
  it.each<[string, Partial<ItemReader>, unknown]>([
    [
      'compressed CSV',
      { Parameters: file('rows.csv.gz'), ReaderConfig: { InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW' } },
      rows,
    ],
    [
      'compressed JSON lines',
      { Parameters: file('rows.jsonl.zst'), ReaderConfig: { InputType: 'JSONL' } },
      [{ n: 1 }, { n: 2 }],
    ],
    [
      'Parquet',
      { Parameters: file('rows.parquet'), ReaderConfig: { InputType: 'PARQUET' } },
      [
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
        { id: '9007199254740993', name: null },
      ],
    ],
    [
      'the files that Athena lists',
      { Parameters: file('athena.csv'), ReaderConfig: { InputType: 'JSONL', ManifestType: 'ATHENA_DATA' } },
      [{ n: 1 }, { n: 2 }, { n: 3 }],
    ],
    [
      'the files of an inventory',
      {
        Parameters: file('manifest.json'),
        ReaderConfig: { InputType: 'MANIFEST', ManifestType: 'S3_INVENTORY' },
      },
      [
        { Bucket: 'b', Key: 'x' },
        { Bucket: 'b', Key: 'y' },
      ],
    ],
    [
      'the files under a prefix',
      {
        Resource: 'arn:aws:states:::s3:listObjectsV2',
        Parameters: { Bucket: 'b', Prefix: 'logs/' },
        ReaderConfig: { InputType: 'JSONL', Transformation: 'LOAD_AND_FLATTEN' },
      },
      [{ n: 1 }, { n: 2 }, { n: 3 }],
    ],
    [
      'the fields of an object',
      { Parameters: file('object.json'), ReaderConfig: { InputType: 'JSON', ItemsPointer: '/deep' } },
      [
        { Key: 'a', Value: 1 },
        { Key: 'b', Value: { c: 2 } },
      ],
    ],
  ])('reads %s', async (_what, reader, expected) => {
    expect(await read(reader)).toEqual(expected)
  })

  it('says that a file cannot be decompressed', async () => {
    expect(
      await read({
        Parameters: file('broken.csv.gz'),
        ReaderConfig: { InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW' },
      }),
    ).toMatchObject({ error: 'States.ItemReaderFailed', cause: expect.stringMatching(/decompressed/) })
  })
})

describe('the context object of an item', () => {
  const ItemSelector = { 'item.$': '$$.Map.Item' }

  it('has the key of a field and where it comes from', async () => {
    expect(await read({}, { ItemSelector, ItemsPath: '$.o' }, { o: { a: 1 } })).toEqual([
      { item: { Index: 0, Value: 1, Key: 'a', Source: 'STATE_DATA' } },
    ])
  })

  it('has the address of the file', async () => {
    const listing = {
      Resource: 'arn:aws:states:::s3:listObjectsV2',
      Parameters: { Bucket: 'b', Prefix: 'logs/2' },
    }
    expect(
      await read(
        { ...listing, ReaderConfig: { InputType: 'JSONL', Transformation: 'LOAD_AND_FLATTEN', MaxItems: 1 } },
        { ItemSelector },
      ),
    ).toEqual([{ item: { Index: 0, Value: { n: 2 }, Source: 'S3://b/logs/2.jsonl' } }])
    expect(await read(listing, { ItemSelector: { 'source.$': '$$.Map.Item.Source' } })).toEqual([
      { source: 'S3://b' },
    ])
  })
})
