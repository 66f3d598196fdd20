import { StateFailure } from '../state-failure.ts'

export function itemReaderFailure(cause: string): StateFailure {
  return new StateFailure('States.ItemReaderFailed', cause)
}
