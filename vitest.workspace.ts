import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { keepScratchInMemory } from './.ci/scratch-in-memory.ts'

// Packages that are installed are linked from a store, which is on the disk.
if (process.env['CHECK_RELEASE'] === undefined) keepScratchInMemory()

// Hundreds of processes load the same modules: what one has compiled, the next takes from here.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.cache/compile')

/** Those whose files take tens of seconds, and mostly wait. Vitest goes by name, and leaves a core idle at the end. */
const slowProjects = [
  '@stepwright/csv-processor',
  '@stepwright/local-cloud',
  '@stepwright/demo',
  '@stepwright/campaign-import',
  '@stepwright/data-transform',
  '@stepwright/async-generation',
  '@stepwright/deploy',
  '@stepwright/console',
  'create-stepwright',
  '@stepwright/docs',
]

class SlowProjectsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

function rankOf({ project }: TestSpecification): number {
  const index = slowProjects.indexOf(project.name)
  return index === -1 ? slowProjects.length : index
}

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*'],
    sequence: { sequencer: SlowProjectsFirst },
  },
})
