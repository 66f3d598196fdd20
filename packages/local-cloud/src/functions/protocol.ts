/** What a function's process is asked to do. Events and results cross as JSON, as they do on Lambda. */
export interface Invocation {
  readonly id: number
  /** The URL of the handler's module. */
  readonly module: string
  readonly export: string
  readonly event: string
  /** Whether somebody reads a response that the handler streams, part by part. */
  readonly streamed?: boolean
  /** Absent for a stand-in, which gets a signal in its place. */
  readonly context?: InvocationContext
  /** What the runtime adds to the environment of this function, and not to that of the others in its process. */
  readonly variables?: Readonly<Record<string, string>>
  /** Whether the answer is to say what the function printed. */
  readonly withLog: boolean
  /** Whether to tell when the module is loaded, and the handler begins. */
  readonly isCold?: boolean
}

/** The handler has begun. */
export interface Beginning {
  readonly id: number
  readonly begun: true
}

/** Nobody waits for that call any more. */
export interface Cancellation {
  readonly cancel: number
}

/** The part of Lambda's context that can be sent. */
export interface InvocationContext {
  readonly functionName: string
  readonly invokedFunctionArn: string
  readonly awsRequestId: string
  readonly memoryLimitInMB: string
  readonly remainingMs: number
  /** What a caller of Lambda's API sent along. */
  readonly clientContext?: unknown
}

export interface Answer {
  readonly id: number
  /** Absent where the handler failed. */
  readonly result?: string
  readonly error?: FunctionFailure
  /** What the function printed, if that was asked for. */
  readonly log?: string
}

/** A task has failed: for the developer's terminal alone, since it has all messages. */
export interface TaskTrouble {
  readonly task: string
  /** The error, then what caused it. */
  readonly errors: readonly { readonly name: string; readonly message: string; readonly details?: unknown }[]
  /** Where it was thrown, in files of the app. */
  readonly frames: readonly string[]
}

/** A part of a streamed response, in base64. */
export interface StreamedChunk {
  readonly id: number
  readonly chunk: string
}

/** The reader of a streamed response is slow, or has caught up. */
export type StreamControl = { readonly pause: number } | { readonly resume: number }

/** As Lambda reports it. */
export interface FunctionFailure {
  readonly errorType: string
  readonly errorMessage: string
  readonly trace: readonly string[]
}
