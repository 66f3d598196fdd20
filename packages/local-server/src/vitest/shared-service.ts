import type { TestProject } from 'vitest/node'

interface Shared {
  readonly service: Promise<AsyncDisposable>
  users: number
}

// Vitest loads a global setup once per project; the global object is what the copies have in common.
const registry = Symbol.for('@stepwright/local-server/vitest')

function sharedServices(): Map<string, Shared> {
  const holder = globalThis as { [registry]?: Map<string, Shared> }
  holder[registry] ??= new Map()
  return holder[registry]
}

/** A Vitest global setup that starts a service for the first project that asks and stops it after the last. */
export function shareService<T extends AsyncDisposable>(
  name: string,
  start: () => Promise<T>,
  provide: (project: TestProject, service: T) => void,
): (project: TestProject) => Promise<() => Promise<void>> {
  return async project => {
    const services = sharedServices()
    let shared = services.get(name)
    if (shared === undefined) {
      shared = { service: start(), users: 0 }
      services.set(name, shared)
    }
    const mine = shared
    mine.users += 1
    const release = async (): Promise<void> => {
      mine.users -= 1
      if (mine.users > 0) return
      services.delete(name)
      await (await mine.service)[Symbol.asyncDispose]()
    }
    try {
      provide(project, (await mine.service) as T)
    } catch (error) {
      services.delete(name)
      throw error
    }
    return release
  }
}
