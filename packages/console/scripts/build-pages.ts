import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundlePages } from './bundle-pages.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'dist/pages')
await mkdir(target, { recursive: true })
const [script, style] = await bundlePages()
await writeFile(join(target, 'main.js'), script)
await writeFile(join(target, 'main.css'), style)
await copyFile(join(root, 'web/index.html'), join(target, 'index.html'))
