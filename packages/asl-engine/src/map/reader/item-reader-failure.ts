import { StateFailure } from '../../failures/state-failure.ts'

export function itemReaderFailure(cause: string): StateFailure {
  return new StateFailure('States.ItemReaderFailed', cause)
}
