import { checkWorkflow, parseDefinition } from '@stepwright/asl'
import { machineOf } from './machine.ts'

const t = JSON.stringify(machineOf(2000), null, 2)
const tasks = {
  work: {
    name: 'work',
    errors: [{ name: 'ValidationError', kind: 'business' as const }],
    output: { type: 'object', properties: { again: { type: 'boolean' } } },
  },
}
const p = parseDefinition(t)
for (let i = 0; i < 30; i++) checkWorkflow(p, { tasks })
const c = process.cpuUsage()
for (let i = 0; i < 10; i++) checkWorkflow(parseDefinition(t), { tasks })
const u = process.cpuUsage(c)
console.log('cpu per check', (u.user + u.system) / 10000)
