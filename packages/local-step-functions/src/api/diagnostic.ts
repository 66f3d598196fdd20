/** What ValidateStateMachineDefinition finds. */
export interface Diagnostic {
  readonly severity: 'ERROR' | 'WARNING'
  readonly code: string
  readonly message: string
  readonly location?: string
}
