import { builtinModules } from 'node:module'

const appName = /^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/
const maxNameLength = 40

/** npm has other plans for these. */
const taken = new Set([...builtinModules, 'node_modules', 'favicon.ico'])

/** Why an app and its package cannot have that name; undefined if they can. */
export function refuseName(name: string): string | undefined {
  if (appName.test(name) && !taken.has(name)) return undefined
  const near = suggestName(name)
  const hint = near === undefined ? '' : ` Try "${near}".`
  return taken.has(name)
    ? `The name must not be that of a module of Node, as "${name}" is.${hint}`
    : `The name must be 1 to 40 lower-case letters, digits and "-", the first a letter, the last no "-", not "${name}".${hint}`
}

/** The nearest name that will do. */
function suggestName(name: string): string | undefined {
  const near = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, maxNameLength)
    .replace(/(?<!-)-+$/, '')
  const free = taken.has(near) ? `${near}-app` : near
  return appName.test(free) ? free : undefined
}
