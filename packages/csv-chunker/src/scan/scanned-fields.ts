/** Where the fields of rows are, and what they say. */
export interface ScannedFields {
  readonly rows: number
  /** The rows as they stand in the file. */
  readonly text: string
  /** Whether fields are quoted or kept apart; where none is, each is a part of the text. */
  readonly mixed: boolean
  /** The fields whose text is not a part of `text`, one after another, with a line feed behind each. */
  readonly apart: string
}

/** What a scan writes; valid until the next one. */
export interface FieldTables {
  /** For every row its start in the text, then the end of each field, with the flags below. */
  readonly offsets: Int32Array
  /** For every field that is kept apart, where the next one starts. */
  readonly apartEnds: Int32Array
}

/** Set on a field's end: its text is kept apart. */
export const apartFlag: number = 0x8000_0000 | 0
/** Set on a field's end: it is quoted. */
export const quotedFlag: number = 0x4000_0000
/** An end without its flags. */
export const offset: number = 0x3fff_ffff
