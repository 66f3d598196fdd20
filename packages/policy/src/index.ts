export { allowedActions } from './allowed-actions.ts'
export { type AppPoliciesOptions, type AppRole, appPolicies } from './app-policies.ts'
export { arnOf } from './arn.ts'
export { comparePolicies, type PolicyDifference, type PolicyGrant } from './compare-policies.ts'
export { type DeployedPlacesOptions, deployedNames, deployedPlaces, secretNameOf } from './deployed-places.ts'
export { formatSamPolicies } from './format/sam.ts'
export { formatTerraformPolicies } from './format/terraform.ts'
export { type FunctionPolicyOptions, usesDatabase } from './function-policy.ts'
export { type AccessRequest, isAllowed } from './is-allowed.ts'
export { parsePolicy } from './parse-policy.ts'
export type { Conditions, PolicyDocument, Statement } from './statement.ts'
export { callStatements } from './workflow/call-statements.ts'
export type { KnownValues } from './workflow/known-values.ts'
export {
  type WorkflowPolicy,
  type WorkflowPolicyOptions,
  workflowPolicy,
} from './workflow/workflow-policy.ts'
