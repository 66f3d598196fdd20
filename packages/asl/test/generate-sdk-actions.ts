import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/**
 * Writes `src/facts/sdk-actions.generated.ts` from the service models of an AWS SDK. No package on npm lists all
 * services; botocore has the models of all of them, and is released with every change:
 *
 *     pip download --no-deps botocore && unzip -q botocore-*.whl -d botocore
 *     node packages/asl/test/generate-sdk-actions.ts botocore
 */
interface Model {
  readonly metadata: { readonly serviceId: string }
  readonly operations: Readonly<Record<string, unknown>>
}

/** Step Functions names services as the Java SDK names its packages: `Config Service` is `config`. */
function serviceName({ metadata }: Model): string {
  return metadata.serviceId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^(?:amazon|aws)(?=.)/, '')
    .replace(/(?<=.)service$/, '')
}

function readModel(folder: string): Model | undefined {
  const newest = readdirSync(folder).sort().at(-1) ?? ''
  const plain = join(folder, newest, 'service-2.json')
  if (existsSync(plain)) return JSON.parse(readFileSync(plain, 'utf8')) as Model
  const zipped = `${plain}.gz`
  return existsSync(zipped)
    ? (JSON.parse(gunzipSync(readFileSync(zipped)).toString('utf8')) as Model)
    : undefined
}

/** `describe:Instances,Volumes`: the actions by their first word. */
function writeActions(operations: readonly string[]): string {
  const byVerb = new Map<string, string[]>()
  for (const operation of operations) {
    const action = `${operation.charAt(0).toLowerCase()}${operation.slice(1)}`
    const verb = /^[a-z0-9]+/.exec(action)?.[0] ?? ''
    byVerb.set(verb, [...(byVerb.get(verb) ?? []), action.slice(verb.length)])
  }
  return [...byVerb].map(([verb, rests]) => `${verb}:${rests.join(',')}`).join(' ')
}

function generate(root: string): string {
  const version = /__version__ = '([^']+)'/.exec(
    readFileSync(join(root, 'botocore/__init__.py'), 'utf8'),
  )?.[1]
  const data = join(root, 'botocore/data')
  const services = new Map<string, string>()
  for (const entry of readdirSync(data, { withFileTypes: true })) {
    const model = entry.isDirectory() ? readModel(join(data, entry.name)) : undefined
    if (model !== undefined)
      services.set(serviceName(model), writeActions(Object.keys(model.operations).sort()))
  }
  const lines = [...services]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, actions]) => `${name} ${actions}`)
  return [
    '// Written by test/generate-sdk-actions.ts: do not edit.',
    '',
    '/** The version of botocore that the table was made from. */',
    `export const sdkActionsVersion = '${version}'`,
    '',
    '/** A line for each service: its name, and its actions by their first word. */',
    `export const sdkActionTable = \`\n${lines.join('\n')}\n\``,
    '',
  ].join('\n')
}

const [root] = process.argv.slice(2)
if (root === undefined) throw new TypeError('Say where botocore was unpacked')
writeFileSync(join(import.meta.dirname, '../src/facts/sdk-actions.generated.ts'), generate(root))
