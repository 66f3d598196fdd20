export { accessKeyOf } from './access-key-of.ts'
export { type Account, serverAccount } from './account.ts'
export { type AppendFiles, type AppendFilesOptions, createAppendFiles } from './append-files.ts'
export { callJsonService, type JsonCall } from './call-service.ts'
export { checkParameters, type SupportedParameters } from './check-parameters.ts'
export { createDelivery, type Deliver, type MessageOptions, type TargetEndpoints } from './deliver.ts'
export { exitOf } from './exit-of.ts'
export {
  createJsonProtocol,
  type JsonProtocolOptions,
  type RefusalOf,
  type ServiceInput,
  type ServiceOperation,
  toServiceError,
} from './json-protocol.ts'
export {
  createUnderWay,
  type LocalService,
  type LocalServiceOptions,
  localRegion,
  startLocalService,
  type UnderWay,
} from './local-service.ts'
export {
  type LoopbackServer,
  type LoopbackServerOptions,
  type RequestHandler,
  startLoopbackServer,
} from './loopback-server.ts'
export { type DeliveryOutbox, type DeliveryOutboxOptions, openOutbox } from './outbox.ts'
export { readBody } from './read-body.ts'
export { canEnter, createScratch, pidFile, type Scratch, ScratchDirectoryError } from './scratch.ts'
export { ServiceError } from './service-error.ts'
