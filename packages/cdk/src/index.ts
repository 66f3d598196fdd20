export { StepwrightApp, type StepwrightAppProps } from './stepwright-app.ts'
export { TaskFunction, type TaskFunctionProps } from './task-function.ts'
export { Workflow, type WorkflowProps } from './workflow.ts'
