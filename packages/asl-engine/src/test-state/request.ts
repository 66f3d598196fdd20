import type { State, StateMachine } from '@stepwright/asl'
import type { Json } from '../json.ts'

export interface TestStateMock {
  /** JSON text. */
  readonly result?: string
  readonly errorOutput?: { readonly error?: string; readonly cause?: string }
  readonly fieldValidationMode?: 'STRICT' | 'PRESENT' | 'NONE'
}

export interface TestStateConfiguration {
  readonly retrierRetryCount?: number
  readonly errorCausedByState?: string
  readonly mapIterationFailureCount?: number
  /** JSON text. */
  readonly mapItemReaderData?: string
}

/** The request of the TestState API. */
export interface TestStateRequest {
  /** A state, or a machine of which `stateName` names one. */
  readonly definition: State | StateMachine
  readonly stateName?: string
  readonly input?: unknown
  readonly inspectionLevel?: 'INFO' | 'DEBUG' | 'TRACE'
  readonly roleArn?: string
  readonly revealSecrets?: boolean
  readonly variables?: Readonly<Record<string, Json>>
  readonly context?: Json
  readonly mock?: TestStateMock
  readonly stateConfiguration?: TestStateConfiguration
}

/** The answer of the TestState API; values instead of their JSON texts. */
export interface TestStateAnswer {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'RETRIABLE' | 'CAUGHT_ERROR'
  readonly output?: Json
  readonly error?: string
  readonly cause?: string
  readonly nextState?: string
  readonly inspectionData?: Readonly<Record<string, Json>>
}

/** A request that the TestState API rejects, under the name of AWS's exception. */
export class TestStateRefusal extends Error {
  override readonly name = 'TestStateRefusal'
  readonly code: 'ValidationException' | 'InvalidDefinition'
  constructor(code: 'ValidationException' | 'InvalidDefinition', message: string) {
    super(message)
    this.code = code
  }
}
