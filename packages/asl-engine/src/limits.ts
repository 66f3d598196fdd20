import { maxHistoryEvents, maxPayloadBytes } from '@stepwright/asl/facts'

/** Step Functions' own limits; raise one to run what AWS would refuse. */
export interface Limits {
  /** Bytes of UTF-8 that a state's input, output or result may have. */
  readonly payloadBytes: number
  /** Events in a Standard execution's history. */
  readonly historyEvents: number
}

export const awsLimits: Limits = { payloadBytes: maxPayloadBytes, historyEvents: maxHistoryEvents }
