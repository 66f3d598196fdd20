export type { ExecutionEnd } from './app/execution-ends.ts'
export { type Interceptor, type RunningApp, type StartAppOptions, startApp } from './app/start-app.ts'
export type { LocalServices, ServiceOptions } from './app/start-services.ts'
export type { Isolation } from './functions/function-host.ts'
