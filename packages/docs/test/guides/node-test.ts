import { assertHonours } from '@stepwright/asl/assert'
import { charge } from './charge.ts'
import { definition } from './lost-answer.ts'

assertHonours(definition, [charge])
