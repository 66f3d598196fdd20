/** An option as the usage of a command tells it. */
export interface UsageOption {
  /** With its dashes. */
  readonly name: string
  /** The word that stands for its value: `FILE`; undefined where it takes none. */
  readonly value: string | undefined
  readonly about: string
  /** The values that there are, where the usage lists them. */
  readonly choices: readonly string[]
}

export interface Usage {
  /** The words that stand for what is not an option: `WORKFLOW`, `FILE`. */
  readonly positionals: readonly string[]
  readonly options: readonly UsageOption[]
}

const optionLine = /^ {2}(--[\w-]+)(?: ([A-Z]+))?(?: {2,}| (?=[a-z"])|$)(.*)$/gm
/** `text, json, sarif or github [default: text]` */
const listed = /^((?:[\w-]+, )*[\w-]+,? or [\w-]+)(?=:| \[|$)/

/** Reads the usage that a command prints, so that nothing has to be said twice. */
export function parseUsage(usage: string): Usage {
  const [first = ''] = usage.split('\n')
  const positionals = first
    .replace(/^Usage: stepwright \S+/, '')
    .replace(/--[\w-]+ [A-Z]+/g, '')
    .match(/[A-Z_]{2,}|files…/g)
  return {
    positionals: (positionals ?? []).map(word => (word === 'files…' ? 'FILES' : word)),
    options: [...usage.matchAll(optionLine)].map(([, name = '', value, about = '']) => ({
      name,
      value,
      about,
      choices: listed.exec(about)?.[1]?.split(/,? or |, /) ?? [],
    })),
  }
}
