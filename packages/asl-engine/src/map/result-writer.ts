import type { QueryLanguage, ResultWriter } from '@stepwright/asl'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import { isObject, type Json } from '../json.ts'
import { compileJsonata } from '../jsonata-template.ts'
import { StateFailure } from '../state-failure.ts'
import { compileTemplate } from '../template.ts'
import { scopeOf, type Thread } from '../thread.ts'

export interface ChildResult {
  readonly executionArn: string
  readonly name: string
  readonly stateMachineArn: string
  readonly input: Json
  readonly output?: Json
  readonly error?: string | undefined
  readonly cause?: string | undefined
  readonly startMs: number
  readonly stopMs: number
}

/** Receives the children's results as they come. */
export interface ResultSink {
  readonly add: (result: ChildResult) => Promise<void>
  /** The Map's result. */
  readonly finish: () => Promise<Json>
}

export type OpenResultSink = (
  thread: Thread,
  input: Json,
  mapRunArn: string,
) => Promise<ResultSink | undefined>

/** Results are written out in files of about this size: a Map of a million items stays small in memory. */
const FLUSH_BYTES = 1024 * 1024

export const compileResultWriter = (
  writer: ResultWriter | undefined,
  language: QueryLanguage,
): OpenResultSink => {
  if (writer === undefined || writer.Resource === undefined) return async () => undefined
  const transformation = writer.WriterConfig?.Transformation ?? 'NONE'
  const asLines = writer.WriterConfig?.OutputType === 'JSONL'
  const evaluate =
    language === 'JSONata' ? compileJsonata(writer.Arguments ?? {}, 'ResultWriter/Arguments') : undefined
  const template = compileTemplate(writer.Parameters ?? {})
  return async (thread, input, mapRunArn) => {
    const location = evaluate ? await evaluate(jsonataScope(thread, input)) : template(scopeOf(thread, input))
    const bucket = isObject(location) ? location['Bucket'] : undefined
    const prefix = isObject(location) ? location['Prefix'] : undefined
    if (typeof bucket !== 'string')
      throw new StateFailure('States.ResultWriterFailed', 'The ResultWriter lacks Bucket')
    const directory = [prefix, mapRunArn.split(':').at(-1)].filter(part => typeof part === 'string').join('/')
    return createFileSink({ thread, bucket, directory, mapRunArn, transformation, asLines })
  }
}

interface FileSinkOptions {
  readonly thread: Thread
  readonly bucket: string
  readonly directory: string
  readonly mapRunArn: string
  readonly transformation: 'NONE' | 'COMPACT' | 'FLATTEN'
  readonly asLines: boolean
}

const createFileSink = (options: FileSinkOptions): ResultSink => {
  const { thread, bucket, directory, mapRunArn, asLines } = options
  const { objects } = thread.execution.engine
  const files: Record<'SUCCEEDED' | 'FAILED' | 'PENDING', Json[]> = { SUCCEEDED: [], FAILED: [], PENDING: [] }
  const buffers = { SUCCEEDED: [] as string[], FAILED: [] as string[] }
  const sizes = { SUCCEEDED: 0, FAILED: 0 }

  const flush = async (status: 'SUCCEEDED' | 'FAILED'): Promise<void> => {
    const lines = buffers[status]
    if (lines.length === 0) return
    const extension = asLines ? 'jsonl' : 'json'
    const key = `${directory}/${status}_${files[status].length}.${extension}`
    const body = asLines ? `${lines.join('\n')}\n` : `[${lines.join(',')}]`
    buffers[status] = []
    sizes[status] = 0
    files[status].push({ Key: key, Size: Buffer.byteLength(body) })
    await objects.put(bucket, key, body)
  }
  return {
    add: async result => {
      const status = result.error === undefined && result.output !== undefined ? 'SUCCEEDED' : 'FAILED'
      for (const line of renderResult(result, status, options.transformation)) {
        buffers[status].push(line)
        sizes[status] += line.length
      }
      if (sizes[status] > FLUSH_BYTES) await flush(status)
    },
    finish: async () => {
      await flush('SUCCEEDED')
      await flush('FAILED')
      const manifest = { DestinationBucket: bucket, MapRunArn: mapRunArn, ResultFiles: files }
      const key = `${directory}/manifest.json`
      await objects.put(bucket, key, JSON.stringify(manifest))
      return { MapRunArn: mapRunArn, ResultWriterDetails: { Bucket: bucket, Key: key } }
    },
  }
}

const renderResult = (
  result: ChildResult,
  status: 'SUCCEEDED' | 'FAILED',
  transformation: 'NONE' | 'COMPACT' | 'FLATTEN',
): string[] => {
  if (transformation !== 'NONE' && status === 'SUCCEEDED') {
    const { output = null } = result
    const list: readonly Json[] = transformation === 'FLATTEN' && Array.isArray(output) ? output : [output]
    return list.map(item => JSON.stringify(item))
  }
  return [
    JSON.stringify({
      ExecutionArn: result.executionArn,
      Input: JSON.stringify(result.input),
      InputDetails: { Included: true },
      Name: result.name,
      ...(status === 'SUCCEEDED'
        ? { Output: JSON.stringify(result.output), OutputDetails: { Included: true } }
        : { Error: result.error, Cause: result.cause }),
      RedriveCount: 0,
      RedriveStatus: 'NOT_REDRIVABLE',
      RedriveStatusReason:
        status === 'SUCCEEDED' ? 'Execution is SUCCEEDED and cannot be redriven' : 'Redrive the parent',
      StartDate: new Date(result.startMs).toISOString(),
      StateMachineArn: result.stateMachineArn,
      Status: status,
      StopDate: new Date(result.stopMs).toISOString(),
    }),
  ]
}
