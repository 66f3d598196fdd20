export {
  type EventBridge,
  type EventBridgeOptions,
  type PublishedEvent,
  startEventBridge,
} from './eventbridge.ts'
export type { BusEvent } from './rules/event.ts'
