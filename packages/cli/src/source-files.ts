import { relative } from 'node:path'
import { parseDefinition, type Source } from '@stepwright/asl'
import { UsageError } from './io.ts'
import { readTextFile, replaceTextFile, type TextFile } from './text-file.ts'

/** A file of a check, with the name that findings show. */
export interface SourceFile extends Pick<TextFile, 'notUtf8At'> {
  readonly source: Source
}

/** The files of one check: each is read and parsed once, however many parts of the check ask for it. */
export interface SourceFiles {
  /** @throws UsageError for one that cannot be read */
  read(file: string): SourceFile
  /** Writes another text; from then on the file is that. */
  replace(file: string, text: string): Source
  /** As findings show it. */
  nameOf(file: string): string
}

export function createSourceFiles(cwd: string): SourceFiles {
  const known = new Map<string, SourceFile>()
  const nameOf = (file: string): string => relative(cwd, file) || file
  const remember = (file: string, { text, notUtf8At }: TextFile): SourceFile => {
    const read = { source: parseDefinition(text, { file: nameOf(file) }), notUtf8At }
    known.set(file, read)
    return read
  }
  return {
    nameOf,
    read(file) {
      const already = known.get(file)
      if (already) return already
      try {
        return remember(file, readTextFile(file))
      } catch (cause) {
        throw new UsageError(`${nameOf(file)} could not be read: ${(cause as Error).message}`, { cause })
      }
    },
    replace(file, text) {
      replaceTextFile(file, text)
      return remember(file, { text, notUtf8At: undefined }).source
    },
  }
}
