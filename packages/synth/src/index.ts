export { checkDeployment } from './check-deployment.ts'
export {
  bundleFunction,
  bundleFunctions,
  type FunctionBundle,
  type FunctionEntry,
} from './code/bundle-functions.ts'
export { type Deployment, type DeploymentOptions, planDeployment, type WorkflowAlias } from './deployment.ts'
export { OutputDirectoryError } from './output-directory.ts'
export { readDefinitions } from './read-definitions.ts'
export { concurrencyProblem, reservedConcurrency } from './reserved-concurrency.ts'
export { type CodeOf, functionId } from './template/functions.ts'
export { glueJobId, type ScriptOf } from './template/glue.ts'
export { bucketId, tableId } from './template/storage.ts'
export type { Template, TemplateParameter, TemplateResource, TemplateResources } from './template/template.ts'
export { toCloudFormation } from './template/to-cloudformation.ts'
export { workflowId } from './template/workflows.ts'
export { type DeploymentTarget, type WriteDeploymentOptions, writeDeployment } from './write-deployment.ts'
