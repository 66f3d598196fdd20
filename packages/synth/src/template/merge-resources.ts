import type { TemplateResource, TemplateResources } from './template.ts'

/**
 * All of them, each id once.
 * @throws TypeError where two things of the app would have one id
 */
export function mergeResources(...parts: readonly TemplateResources[]): TemplateResources {
  const merged: Record<string, TemplateResource> = {}
  for (const part of parts)
    for (const [id, resource] of Object.entries(part)) {
      if (id in merged) throw new TypeError(`two things of the app would be called ${id}: rename one`)
      merged[id] = resource
    }
  return merged
}
