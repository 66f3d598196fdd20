import type { QueryLanguage, ResultWriter } from '@stepwright/asl'
import { scopeOf, type Thread } from '../execution/thread.ts'
import { compileJsonata } from '../expressions/jsonata-template.ts'
import { compileTemplate } from '../expressions/template.ts'
import { StateFailure } from '../failures/state-failure.ts'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import { isObject, type Json } from '../json.ts'
import { TaskFailure } from '../task/ports.ts'
import { type ResultSink, type Transformation, writeResult } from './child-result.ts'
import { createCollector } from './result-collector.ts'
import { ResultFile } from './result-file.ts'

export type OpenResultSink = (thread: Thread, input: Json, mapRunArn: string) => Promise<ResultSink>

/** Results are written out in files of about this size: a Map of a million items stays small in memory. */
const fileBytes = 1024 * 1024

export function compileResultWriter(
  writer: ResultWriter | undefined,
  language: QueryLanguage,
): OpenResultSink {
  if (writer?.Resource === undefined) {
    const transformation = writer?.WriterConfig?.Transformation ?? 'COMPACT'
    return async thread => createCollector(thread, transformation)
  }
  const transformation = writer.WriterConfig?.Transformation ?? 'NONE'
  const asLines = writer.WriterConfig?.OutputType === 'JSONL'
  const evaluate =
    language === 'JSONata' ? compileJsonata(writer.Arguments ?? {}, 'ResultWriter/Arguments') : undefined
  const template = compileTemplate(writer.Parameters ?? {})
  return async (thread, input, mapRunArn) => {
    const location = evaluate ? await evaluate(jsonataScope(thread, input)) : template(scopeOf(thread, input))
    const bucket = isObject(location) ? location['Bucket'] : undefined
    const prefix = isObject(location) ? location['Prefix'] : undefined
    if (typeof bucket !== 'string') throw writerFailure('The ResultWriter lacks Bucket')
    const directory = [prefix, mapRunArn.split(':').at(-1)].filter(part => typeof part === 'string').join('/')
    return createFileSink({ thread, bucket, directory, mapRunArn, transformation, asLines })
  }
}

function writerFailure(cause: string): StateFailure {
  return new StateFailure('States.ResultWriterFailed', cause)
}

interface FileSinkOptions {
  readonly thread: Thread
  readonly bucket: string
  readonly directory: string
  readonly mapRunArn: string
  readonly transformation: Transformation
  readonly asLines: boolean
}

function createFileSink(options: FileSinkOptions): ResultSink {
  const { thread, bucket, directory, mapRunArn, transformation, asLines } = options
  const { objects, clock } = thread.execution.engine
  const files: Record<'SUCCEEDED' | 'FAILED' | 'PENDING', Json[]> = { SUCCEEDED: [], FAILED: [], PENDING: [] }
  const drafts = { SUCCEEDED: new ResultFile(asLines), FAILED: new ResultFile(asLines) }

  /** Virtual time stands still while a file is written. */
  const put = async (key: string, body: Uint8Array): Promise<void> => {
    const release = clock.hold()
    try {
      await objects.put(bucket, key, body)
    } catch (error) {
      throw error instanceof TaskFailure ? writerFailure(error.cause ?? error.error) : error
    } finally {
      release()
    }
  }
  const flush = async (status: 'SUCCEEDED' | 'FAILED'): Promise<void> => {
    const body = drafts[status].take()
    if (body === undefined) return
    const key = `${directory}/${status}_${files[status].length}.${asLines ? 'jsonl' : 'json'}`
    files[status].push({ Key: key, Size: body.length })
    await put(key, body)
  }
  return {
    isWriter: true,
    add: (child, ending) => {
      const status = ending.output === undefined ? 'FAILED' : 'SUCCEEDED'
      const draft = drafts[status]
      writeResult(child, ending, transformation, text => draft.add(text))
      return draft.bytes > fileBytes ? flush(status) : undefined
    },
    finish: async () => {
      await flush('SUCCEEDED')
      await flush('FAILED')
      const manifest = { DestinationBucket: bucket, MapRunArn: mapRunArn, ResultFiles: files }
      const key = `${directory}/manifest.json`
      await put(key, Buffer.from(JSON.stringify(manifest)))
      return { MapRunArn: mapRunArn, ResultWriterDetails: { Bucket: bucket, Key: key } }
    },
  }
}
