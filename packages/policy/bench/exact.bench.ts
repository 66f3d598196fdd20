import { figure } from '@stepwright/bench'
import { exactShare } from '../test/exactness.ts'

figure('policy.exact', exactShare(), { atLeast: 1 })
