export { CreateProjectError, createProject, type ProjectOptions } from './create-project.ts'
export type { DeploymentName } from './deployments.ts'
export type { TemplateName } from './templates.ts'
