export { type AskToUnsubscribePorts, askToUnsubscribe } from './ask-to-unsubscribe.ts'
export {
  type RecordMailEventsOutput,
  type RecordMailEventsPorts,
  recordMailEvents,
} from './record-mail-events.ts'
export { type UnsubscribePorts, unsubscribe } from './unsubscribe.ts'
export type { UnsubscribeInput } from './unsubscribe-token.ts'
