import { pseudoParameters, type Substitutions } from '../expressions/placeholder.ts'
import { parseJson } from '../source/parse-json.ts'
import { parseYaml } from '../source/parse-yaml.ts'
import type { Location, Source } from '../source/source.ts'
import { type MappedText, substituteMapped } from './mapped-text.ts'

/**
 * Reads a definition as CloudFormation does: values are put in place of `${Name}` in its text, which is then JSON, or
 * else YAML (so that trailing commas pass). Places are those of `outer`, from which the text comes.
 */
export function parseDeployed(given: MappedText, outer: Source, substitutions: Substitutions): Source {
  const { text, places } = substituteMapped(given, { ...pseudoParameters, ...substitutions })
  const inner = parseEither(text, outer.file)
  const move = ({ start, end }: Location): Location =>
    outer.place(
      places[start] ?? places.at(-1) ?? 0,
      end > start ? (places[end - 1] ?? places.at(-1) ?? 0) + 1 : (places[start] ?? 0),
    )
  return {
    ...inner,
    text: outer.text,
    format: outer.format,
    problems: inner.problems.map(problem => ({ ...problem, location: move(problem.location) })),
    locate: (pointer, part) => move(inner.locate(pointer, part)),
    place: outer.place,
    find: offset => inner.find(places.findLastIndex(place => place <= offset)),
  }
}

/** JSON, or YAML where only that can be read; what is wrong is told of the JSON. */
function parseEither(text: string, file: string): Source {
  const json = parseJson(text, { file })
  if (!json.problems.some(({ kind }) => kind === 'syntax')) return json
  const yaml = parseYaml(text, { file })
  if (typeof yaml.value === 'object' && yaml.value !== null && !yaml.broken) return yaml
  // YAML as well, once the deployment has put a value in place of a placeholder that stands without quotes
  const commas = parseJson(text, { file, trailingCommas: true })
  return commas.problems.some(({ kind }) => kind === 'syntax') ? json : commas
}

/** A file that a template names, with the template's values in place of `${Name}`; places stay the file's. */
export function withSubstitutions(source: Source, substitutions: Substitutions): Source {
  const places = Array.from({ length: source.text.length }, (_, index) => index)
  return parseDeployed({ text: source.text, places }, source, substitutions)
}
