export { CreateProjectError, createProject, type ProjectOptions } from './create-project.ts'
export type { TemplateName } from './templates.ts'
