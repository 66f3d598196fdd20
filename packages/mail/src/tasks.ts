export {
  type RecordMailEventsOutput,
  type RecordMailEventsPorts,
  recordMailEvents,
} from './record-mail-events.ts'
export { type UnsubscribeInput, type UnsubscribePorts, unsubscribe } from './unsubscribe.ts'
