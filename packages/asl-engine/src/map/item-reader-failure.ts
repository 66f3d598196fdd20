import { StateFailure } from '../state-failure.ts'

export const itemReaderFailure = (cause: string): StateFailure =>
  new StateFailure('States.ItemReaderFailed', cause)
