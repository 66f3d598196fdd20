import type { Manifest } from './manifest.ts'

/** The fields of a package.json that lead people to its source, its page and its issues. */
export type Places = Required<Pick<Manifest, 'repository' | 'homepage' | 'bugs'>>

/** `https://github.com/stepwright/stepwright`: what the workspace's own package.json says. */
export function repositoryUrl({ repository }: Pick<Manifest, 'repository'>): string {
  const url = /^git\+(https:.+)\.git$/.exec(repository?.url ?? '')?.[1]
  if (url === undefined) throw new TypeError('repository.url must be of the form "git+https://….git"')
  return url
}

/** What a package says about its places. `directory` is relative to the workspace: `packages/errors`. */
export function placesOf(url: string, directory: string): Places {
  return {
    repository: { type: 'git', url: `git+${url}.git`, directory },
    homepage: `${url}/tree/main/${directory}#readme`,
    bugs: { url: `${url}/issues` },
  }
}

const markdownLink = /\]\(([^()\s]+)(?: "[^"]*")?\)/g

/** What the links of a Markdown text lead to. */
export function linksOf(markdown: string): string[] {
  return [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(markdownLink)].map(
    ([, target]) => target as string,
  )
}

/** The path within the repository that a link to it names; undefined for a link elsewhere. */
export function pathInRepository(url: string, target: string): string | undefined {
  for (const kind of ['blob', 'tree', 'raw']) {
    const start = `${url}/${kind}/main/`
    if (target.startsWith(start)) return target.slice(start.length).replace(/#.*/, '')
  }
  return undefined
}

/** The text with every link to the repository, and every use of its action, leading to its new place. */
export function moveLinks(text: string, from: string, to: string): string {
  return text
    .replace(/https:\/\/[\w.-]+\/[\w.-]+\/[\w-]+/g, link => (link === from ? to : link))
    .replace(/(?<=\buses: )[\w.-]+\/[\w-]+/g, name => (name === ownerAndName(from) ? ownerAndName(to) : name))
}

function ownerAndName(url: string): string {
  return new URL(url).pathname.slice(1)
}
