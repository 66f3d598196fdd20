export { type IntrinsicArgument, type IntrinsicCall, parseIntrinsic } from './intrinsic.ts'
export { type JsonataNode, jsonataExpression, parseJsonata } from './jsonata.ts'
export { parsePath } from './path.ts'
export { type Substitutions, substitute, substituteAll, substitutionsFor } from './placeholder.ts'
export { parseResource, type Resource } from './resource.ts'
export type {
  FilterOperand,
  FilterOperator,
  ParsedPath,
  PathFilter,
  PathRoot,
  PathStep,
} from './syntax.ts'
