import { figure } from '@stepwright/bench'
import { apps } from '../src/apps.ts'
import { deployedLines, expectedLines } from '../test/policy-lines.ts'

const exact = apps.filter(app => deployedLines(app).join('\n') === expectedLines(app).join('\n'))
figure('policy.exact.apps', exact.length / apps.length, { atLeast: 1 })
