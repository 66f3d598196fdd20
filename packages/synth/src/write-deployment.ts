import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { App, GlueJob } from '@stepwright/app'
import { bundleFunctions } from './code/bundle-functions.ts'
import { zipDirectory } from './code/zip.ts'
import { type Deployment, type DeploymentOptions, planDeployment } from './deployment.ts'
import { assertOutputDirectory, writeOutput } from './output-directory.ts'
import type { ScriptOf } from './template/glue.ts'
import { sub, type Template } from './template/template.ts'
import { toCloudFormation } from './template/to-cloudformation.ts'
import { toSam } from './template/to-sam.ts'
import { type DeployedFile, toTerraformModule } from './terraform-module.ts'

export type DeploymentTarget = 'cloudformation' | 'sam' | 'terraform'

export interface WriteDeploymentOptions extends DeploymentOptions {
  readonly target: DeploymentTarget
  /** Whether functions are bundled; without, the templates alone are written. @default true */
  readonly code?: boolean
  /** Directories of the project, besides the working directory and the app's root: the output must not contain one. */
  readonly keep?: readonly string[]
}

/**
 * Writes what a tool deploys into a directory: templates, code, scripts. Of what is there, only the files that an
 * earlier call wrote are deleted.
 * @throws OutputDirectoryError for a directory that contains the project, or that has other files and none that it wrote
 */
export async function writeDeployment(
  declared: App,
  directory: string,
  { target, code = true, keep = [], ...options }: WriteDeploymentOptions,
): Promise<void> {
  assertOutputDirectory(directory, [process.cwd(), fileURLToPath(declared.root), ...keep])
  const scratch = mkdtempSync(join(tmpdir(), 'stepwright-synth-'))
  try {
    await writeFiles(planDeployment(declared, options), scratch, target, code)
    writeOutput(scratch, directory)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

async function writeFiles(
  deployment: Deployment,
  directory: string,
  target: DeploymentTarget,
  code: boolean,
): Promise<void> {
  const { app } = deployment
  const write = (file: string, content: string | Buffer): void =>
    writeFileSync(join(directory, file), content)
  if (target === 'sam') {
    if (code) bundleFunctions(app, join(directory, 'functions'))
    mkdirSync(join(directory, 'workflows'))
    for (const [name, text] of Object.entries(deployment.definitions))
      write(`workflows/${name}.asl.json`, text)
    const placeOf = scriptPlaces(writeScripts(app, directory, 'scripts/'))
    write('template.json', toText(toSam(deployment, placeOf)))
    return
  }
  const archives = code ? await writeArchives(app, directory) : {}
  const scripts = writeScripts(app, directory, 'code/')
  const template = toCloudFormation(
    deployment,
    name => ({
      S3Bucket: { Ref: 'CodeBucket' },
      S3Key: sub(`\${CodePrefix}${archives[name]?.key ?? `${name}.zip`}`),
    }),
    scriptPlaces(scripts),
  )
  write('template.json', toText(template))
  if (target !== 'terraform') return
  const uploaded = { template, key: `template-${hashOf(toText(template))}.json`, path: 'template.json' }
  const files = [...Object.values(archives), ...Object.values(scripts)]
  write('main.tf.json', toText(toTerraformModule(deployment, uploaded, files)))
}

function scriptPlaces(scripts: Readonly<Record<string, DeployedFile>>): ScriptOf {
  return name => sub(`s3://\${CodeBucket}/\${CodePrefix}${scripts[name]?.key}`)
}

function toText(value: Template | object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** An archive for each function, named after its content: other code is another key, which the template names. */
async function writeArchives(app: App, directory: string): Promise<Readonly<Record<string, DeployedFile>>> {
  const scratch = join(directory, 'bundles')
  const archives: Record<string, DeployedFile> = {}
  mkdirSync(join(directory, 'code'))
  for (const [name, bundle] of Object.entries(bundleFunctions(app, scratch))) {
    const archive = await zipDirectory(bundle.directory)
    const key = `${name}-${hashOf(archive)}.zip`
    writeFileSync(join(directory, 'code', key), archive)
    archives[name] = { key, path: `code/${key}` }
  }
  rmSync(scratch, { recursive: true, force: true })
  return archives
}

function writeScripts(
  { resources = {}, root }: App,
  directory: string,
  below: string,
): Readonly<Record<string, DeployedFile>> {
  const jobs = Object.entries<GlueJob>(resources.glueJobs ?? {})
  if (jobs.length > 0) mkdirSync(join(directory, below), { recursive: true })
  return Object.fromEntries(
    jobs.map(([name, { script }]) => {
      const file = fileURLToPath(new URL(script, root))
      const key = `${name}-${hashOf(readFileSync(file))}.py`
      copyFileSync(file, join(directory, below, key))
      return [name, { key, path: `${below}${key}` }]
    }),
  )
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}
