export { defineConfig, type StepwrightConfig, type WorkflowConfig } from './config.ts'
export type { Io } from './io.ts'
export { main } from './main.ts'
