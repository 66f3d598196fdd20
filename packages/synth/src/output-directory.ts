import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** A directory must not be written to: its message says why and what to do. */
export class OutputDirectoryError extends TypeError {
  override readonly name = 'OutputDirectoryError'
}

/** Lists the files that were written: the next run deletes these and no others. */
const markerFile = '.stepwright-output.json'

/**
 * Rejects a directory that must not be written to: one of the given ones or a directory above them, or one with files
 * that were not written by `writeOutput`.
 * @throws OutputDirectoryError that says what to do
 */
export function assertOutputDirectory(directory: string, keep: readonly string[]): void {
  const output = realPathOf(directory)
  const kept = keep.find(each => isInside(realPathOf(each), output))
  if (kept !== undefined)
    throw new OutputDirectoryError(
      `${directory} contains the project: name a directory of its own for the output`,
    )
  if (!existsSync(output)) return
  if (!lstatSync(output).isDirectory()) throw new OutputDirectoryError(`${directory} is not a directory`)
  if (readdirSync(output).length > 0 && readMarker(output) === undefined)
    throw new OutputDirectoryError(
      `${directory} has files that this version did not write: delete it, or name another directory`,
    )
}

/**
 * Moves all files below one directory into another, in place of those that an earlier run wrote there. A run that is
 * killed half-way leaves a directory that the next run replaces.
 */
export function writeOutput(from: string, directory: string): void {
  const output = realPathOf(directory)
  mkdirSync(output, { recursive: true })
  const before = readMarker(output) ?? []
  const files = filesBelow(from)
  writeMarker(output, [...new Set([...before, ...files])])
  for (const file of before) removeFile(output, file)
  for (const file of files) {
    const target = join(output, file)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, readFileSync(join(from, file)))
  }
  writeMarker(output, files)
}

function readMarker(output: string): readonly string[] | undefined {
  try {
    const { files } = JSON.parse(readFileSync(join(output, markerFile), 'utf8')) as { files?: unknown }
    if (!Array.isArray(files) || !files.every(file => typeof file === 'string')) return undefined
    return files.filter(file => file !== '' && !isAbsolute(file) && isInside(join(output, file), output))
  } catch {
    return undefined
  }
}

function writeMarker(output: string, files: readonly string[]): void {
  const marker = join(output, markerFile)
  writeFileSync(`${marker}.new`, `${JSON.stringify({ writtenBy: 'stepwright synth', files }, null, 2)}\n`)
  renameSync(`${marker}.new`, marker)
}

/** Deletes a file, and the directories that it leaves empty. Links are not followed. */
function removeFile(output: string, file: string): void {
  const parent = join(output, dirname(file))
  if (!existsSync(parent) || !isInside(realpathSync(parent), output)) return
  rmSync(join(parent, basename(file)), { force: true })
  for (let here = parent; here !== output && readdirSync(here).length === 0; here = dirname(here))
    rmdirSync(here)
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(directory, join(entry.parentPath, entry.name)))
    .toSorted()
}

/** Where a path leads, as far as it exists. */
function realPathOf(path: string): string {
  const absolute = resolve(path)
  if (existsSync(absolute)) return realpathSync(absolute)
  return dirname(absolute) === absolute ? absolute : join(realPathOf(dirname(absolute)), basename(absolute))
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}
