import { bindFrom, reference, setting } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import * as z from 'zod/mini'
import { logFields } from '../correlation.ts'
import { maxDaysOfMap } from '../plan.ts'
import { planTransform } from '../plan-transform.ts'
import { raw } from '../resources.ts'
import type { InputLimits } from '../transform-input.ts'
import { wholeNumber } from './bindings.ts'

/** How many days one execution may ask for. */
const maxDays = setting('MAX_DAYS', z._default(wholeNumber.check(z.lte(maxDaysOfMap)), 31))
const limits = bindFrom({ rawBucket: reference(raw), maxDays }, (opened): InputLimits => opened)

export const PlanTransform = lambda(planTransform, { limits }, { timeoutSeconds: 20, logFields })
