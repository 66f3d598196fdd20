import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What is wrong with the built site: links that lead nowhere, and anything that a page would fetch from elsewhere. */
export function problemsOf(dist: string, base: string): readonly string[] {
  const ids = new Map<string, ReadonlySet<string>>()
  const idsOf = (file: string): ReadonlySet<string> => {
    const known =
      ids.get(file) ??
      new Set([...readFileSync(file, 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
    ids.set(file, known)
    return known
  }
  return globSync('**/*.html', { cwd: dist }).flatMap(path => {
    const html = readFileSync(join(dist, path), 'utf8')
    const origin = new URL(path.replace(/index\.html$/, ''), `http://site${base.replace(/\/?$/, '/')}`)
    return [...new Set(targetsOf(html))].flatMap(({ tag, target }) => {
      const url = new URL(target.replaceAll('&#38;', '&').replaceAll('&amp;', '&'), origin)
      if (!/^https?:$/.test(url.protocol)) return []
      if (url.host !== 'site')
        return tag === 'a' ? [] : [`${path}: <${tag}> fetches ${target} from elsewhere`]
      const problem = problemOf(url)
      return problem === undefined ? [] : [`${path}: ${target} ${problem}`]
    })
  })

  function problemOf(url: URL): string | undefined {
    const prefix = base.replace(/\/?$/, '/')
    if (!url.pathname.startsWith(prefix)) return `is not under ${prefix}`
    const path = join(dist, decodeURIComponent(url.pathname.slice(prefix.length - 1)))
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path
    if (!existsSync(file)) return 'does not exist'
    const id = decodeURIComponent(url.hash.slice(1))
    return id === '' || id === '_top' || idsOf(file).has(id) ? undefined : 'names no heading'
  }
}

function targetsOf(html: string): readonly { readonly tag: string; readonly target: string }[] {
  const tags = html
    .replaceAll(/<pre[\s>].*?<\/pre>/gs, '')
    .matchAll(/<(\w+)\s[^>]*?\b(?:href|src)="([^"]*)"/g)
  const seen = new Map([...tags].map(([, tag = '', target = '']) => [`${tag} ${target}`, { tag, target }]))
  return [...seen.values()]
}
