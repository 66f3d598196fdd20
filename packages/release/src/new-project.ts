import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  CreateProjectError,
  createProject,
  type DeploymentName,
  deployments,
  type TemplateName,
  templates,
} from 'create-stepwright'
import { type PackedPackage, packPackages } from './pack.ts'

const usage = `Usage: npx -y pnpm@12 new DIR [options]

Makes a new app in DIR with the packages of this clone, which are packed into DIR/packages.
It does what "npm create stepwright" will do when the packages are published.

Options:
  --template NAME   ${Object.keys(templates).join(', ')} [default: minimal]
  --deploy NAME     ${Object.keys(deployments).join(', ')} [default: none]
  --help            this text
`

const workspace = join(import.meta.dirname, '../../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    template: { type: 'string', default: 'minimal' },
    deploy: { type: 'string', default: 'none' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const [folder] = positionals
const isKnown = values.template in templates && values.deploy in deployments
if (values.help || folder === undefined || !isKnown) {
  process.stdout.write(usage)
  process.exit(values.help ? 0 : 2)
}
// pnpm runs scripts in the root of the workspace, and says where it was called.
const directory = resolve(process.env['INIT_CWD'] ?? process.cwd(), folder)
try {
  await createProject({
    directory,
    name: basename(directory),
    template: values.template as TemplateName,
    deployment: values.deploy as DeploymentName,
  })
} catch (error) {
  if (!(error instanceof CreateProjectError)) throw error
  process.stderr.write(`${error.message}\n\n${usage}`)
  process.exit(2)
}
process.stdout.write('packing the packages of this clone, which takes up to a minute …\n')
await usePacked(directory, await packAll())
process.stdout.write(`Made ${folder}. Next:\n\n  cd ${folder}\n  npm install\n  npm test\n`)

async function packAll(): Promise<readonly PackedPackage[]> {
  const destination = join(workspace, '.cache/new-project')
  await rm(destination, { recursive: true, force: true })
  await mkdir(destination, { recursive: true })
  return packPackages(destination)
}

/** Points the project at the packages as they were packed; what they depend on comes from the registry. */
async function usePacked(project: string, packed: readonly PackedPackage[]): Promise<void> {
  const ours = new Map(
    packed.map(({ manifest, tarball }) => [manifest.name, `file:packages/${basename(tarball)}`]),
  )
  await mkdir(join(project, 'packages'))
  for (const { tarball } of packed) await cp(tarball, join(project, 'packages', basename(tarball)))
  const tested = packed.find(({ manifest }) => manifest.name === 'create-stepwright')?.manifest
  const versions = { ...tested?.dependencies, ...tested?.devDependencies }
  const file = join(project, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8')) as ProjectManifest
  const pick = (dependencies: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, version]) => [
        name,
        ours.get(name) ?? versions[name] ?? version,
      ]),
    )
  const own = { ...manifest.dependencies, ...manifest.devDependencies }
  const overrides = Object.fromEntries(
    [...ours]
      .filter(([name]) => name !== 'create-stepwright')
      .map(([name, place]) => [name, name in own ? `$${name}` : place]),
  )
  const changed = {
    ...manifest,
    dependencies: pick(manifest.dependencies),
    devDependencies: pick(manifest.devDependencies),
    overrides,
  }
  await writeFile(file, `${JSON.stringify(changed, null, 2)}\n`)
}

interface ProjectManifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
