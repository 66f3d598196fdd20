/** What a check is asked to do, apart from the modules that are loaded already. */
export interface CheckRequest {
  readonly args: readonly string[]
  readonly cwd: string
  readonly colour: boolean
}

/** A piece of what it prints. */
export interface CheckOutput {
  readonly to: 'out' | 'error'
  readonly text: string
}
