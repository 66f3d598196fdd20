export type { ObjectCreatedRule } from './cloud/object-created-rule.ts'
export {
  type LocalCloud,
  type LocalCloudOptions,
  type LocalStateMachine,
  startLocalCloud,
} from './local-cloud.ts'
