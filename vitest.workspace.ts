import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*'],
    // Many tests wait for servers and child processes: half as many workers again as there are cores.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
  },
})
