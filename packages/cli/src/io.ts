/** What the command needs of its surroundings. */
export interface Io {
  readonly cwd: string
  /** Whether the output is a terminal that shows colours. */
  readonly colour: boolean
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  /** Writes what moves the cursor, to where `error` writes. @default `error` */
  readonly draw?: (text: string) => void
  /** The size of the terminal that `error` writes to, as it is now. @default it is none */
  readonly terminal?: () => TerminalSize | undefined
  /** The same of the terminal that `out` writes to. @default it is none */
  readonly screen?: () => TerminalSize | undefined
  /** Whether configs of other users are loaded, too. @default false */
  readonly trustConfig?: boolean
  /** Resolves when the user wants the command to end. */
  readonly interrupted: () => Promise<void>
}

/** The command cannot do what it was asked: its message says why and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}
