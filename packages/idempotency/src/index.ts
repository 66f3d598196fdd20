export { canonicalJson, NotCanonicalError } from './canonical-json.ts'
export {
  executionName,
  type S3EventBridgeEvent,
  type S3NotificationEvent,
  type S3NotificationRecord,
} from './execution-name.ts'
export { type PayloadKeyOptions, payloadHash, payloadKey } from './payload-key.ts'
