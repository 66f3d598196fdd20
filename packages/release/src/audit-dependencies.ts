import { join } from 'node:path'
import { auditDependencies } from './audit.ts'

const advisories = await auditDependencies(join(import.meta.dirname, '../../..'))
if (advisories === undefined) {
  process.stdout.write('skipped: the registry does not answer an audit here\n')
} else {
  for (const { package: name, severity, title, url } of advisories) {
    process.stdout.write(`${severity}: ${name}: ${title} (${url})\n`)
  }
  const severe = advisories.filter(({ severity }) => severity === 'high' || severity === 'critical')
  process.stdout.write(`${advisories.length} known faults, ${severe.length} of them high or critical\n`)
  if (severe.length > 0) process.exitCode = 1
}
