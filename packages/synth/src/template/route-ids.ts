import { createHash } from 'node:crypto'
import { logicalId } from './template.ts'

/** Parts whose ends stay visible as capitals: no other path of such parts has the same id. */
const plainPart = /^[a-z]+$/
const hashLength = 8

/**
 * The logical id of what belongs to a path: `/users/list` → `UsersListPath`. It depends on the path alone, so that an
 * added route renames nothing; for `{id}`, `a-b` and the like it ends in a hash, since letters and digits do not tell
 * them from `id` and `a/b`.
 */
export function pathId(parts: readonly string[], suffix: string): string {
  const plain = parts.every(part => plainPart.test(part))
  const hash = createHash('sha256').update(parts.join('/')).digest('hex').slice(0, hashLength)
  return logicalId(...parts, ...(plain ? [] : [hash]), suffix)
}

/** The same for one method of a path: `GET /users/list`. */
export function routeId(key: string, suffix: string): string {
  const [method = '', path = ''] = key.split(' ')
  return `${method}${pathId(partsOf(path), suffix)}`
}

export function partsOf(path: string): readonly string[] {
  return path.split('/').filter(Boolean)
}
