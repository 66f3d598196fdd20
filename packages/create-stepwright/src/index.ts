export { CreateProjectError, createProject, type ProjectOptions } from './create-project.ts'
export { type DeploymentName, deployments } from './deployments.ts'
export { type TemplateName, templates } from './templates.ts'
