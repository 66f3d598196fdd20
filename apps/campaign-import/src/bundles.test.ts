import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { app } from './app.ts'

const external = ['@aws-lambda-powertools/*', '@aws-sdk/*', '@middy/*', 'kysely', 'pg', 'zod', 'zod/*']

/** The code of a function as it is deployed, without what is not ours and not minified. */
async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${name} as handler } from './src/functions/index.ts'`,
      resolveDir: fileURLToPath(app.root),
    },
    bundle: true,
    external,
    format: 'esm',
    outdir: '/nowhere',
    platform: 'node',
    splitting: true,
    write: false,
  })
  return outputFiles.map(({ text }) => text).join('\n')
}

describe('what is deployed of a function', () => {
  const taskNames = Object.values(app.functions).map(({ task }) => task.name)
  const tasksIn = (code: string) =>
    taskNames.filter(name => new RegExp(`name\\d*( =|:) "${name}"`).test(code))

  it.each(Object.entries(app.functions))('contains the task of %s and no other', async (name, { task }) => {
    expect(tasksIn(await bundle(name))).toEqual([task.name])
  })
})
