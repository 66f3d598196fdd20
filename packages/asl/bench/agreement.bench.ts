import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkWorkflow } from '@stepwright/asl'
import { figure } from '@stepwright/bench'
import validate from 'asl-validator'

interface Case {
  readonly name: string
  readonly type?: 'STANDARD' | 'EXPRESS'
  readonly definition: never
}

const corpus = fileURLToPath(new URL('../../../../shared/conformance/', import.meta.url))
function load(file: string): readonly Case[] {
  return JSON.parse(readFileSync(`${corpus}${file}`, 'utf8')) as Case[]
}

const judges = {
  ours: ({ definition, name, type = /express/i.test(name) ? 'EXPRESS' : 'STANDARD' }: Case): boolean =>
    !checkWorkflow(definition, { type }).some(({ rule }) => rule.startsWith('valid/')),
  'asl-validator 4': ({ definition }: Case): boolean => validate(definition).isValid,
}

if (existsSync(corpus)) {
  const ran = readdirSync(`${corpus}executions`).flatMap(file => load(`executions/${file}`))
  const accepted = [...new Map(ran.map(each => [JSON.stringify(each.definition), each])).values()]
  const refused = load('create-errors.json')
  const table = Object.entries(judges).map(([judge, isValid]) => {
    const wronglyRefused = accepted.filter(
      each => !isValid({ ...each, type: each.type ?? 'STANDARD' }),
    ).length
    const wronglyAccepted = refused.filter(each => isValid(each)).length
    console.log(
      `${judge}: refuses ${wronglyRefused} of ${accepted.length} that Step Functions ran, accepts ${wronglyAccepted} of ${refused.length} that it refused`,
    )
    return { wronglyRefused, wronglyAccepted }
  })
  figure('asl.wrong_refusals', table[0]?.wronglyRefused ?? 1, { atMost: 0 })
  figure('asl.missed_refusals', table[0]?.wronglyAccepted ?? 1, { atMost: 0 })
} else console.log('no recordings beside the repository: agreement not measured')
