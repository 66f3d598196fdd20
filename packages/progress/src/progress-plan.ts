/** A step's share of the work, in any unit; `times` for one that is repeated. */
export type StepWeight = number | { readonly weight: number; readonly times: number }

export interface ProgressPlan<Step extends string> {
  /** How often each step has been done, parts of one included → a whole percentage, 100 only when all are. */
  percent(done: Readonly<Partial<Record<Step, number>>>): number
  /** Counts for one run of the plan, in whatever order its steps get done. */
  start(): PlanRun<Step>
}

export interface PlanRun<Step extends string> {
  readonly percent: number
  /** Notes that a step is done, or several of them, and returns the percentage. */
  done(step: Step, times?: number): number
}

/**
 * @example createProgressPlan({ generate: 50, save: 50 })
 * @example createProgressPlan({ action: { weight: 1.5625, times: 64 } })
 */
export function createProgressPlan<const Step extends string>(
  steps: Readonly<Record<Step, StepWeight>>,
): ProgressPlan<Step> {
  const plan = Object.entries<StepWeight>(steps).map(([name, step]) => {
    const { weight, times } = typeof step === 'number' ? { weight: step, times: 1 } : step
    if (!(weight > 0 && Number.isFinite(weight) && Number.isInteger(times) && times > 0)) {
      throw new TypeError(`step ${name} must have a weight above 0 and be done a whole number of times`)
    }
    return { name: name as Step, weight, times }
  })
  if (plan.length === 0) throw new TypeError('a plan must have at least one step')
  const total = plan.reduce((sum, { weight, times }) => sum + weight * times, 0)

  function percent(done: Readonly<Partial<Record<Step, number>>>): number {
    const counts = plan.map(({ name, times }) => {
      const count = Object.hasOwn(done, name) ? (done[name] ?? 0) : 0
      return Math.min(Math.max(count, 0), times)
    })
    if (plan.every(({ times }, index) => counts[index] === times)) return 100
    const sum = plan.reduce((sum, { weight }, index) => sum + weight * (counts[index] ?? 0), 0)
    // The tiny part makes up for sums such as 0.1 + 0.2; it never lifts an unfinished plan to 100.
    return Math.min(Math.floor((sum / total) * 100 + 1e-9), 99)
  }

  return {
    percent,
    start() {
      const counts: Partial<Record<Step, number>> = Object.create(null)
      return {
        get percent() {
          return percent(counts)
        },
        done(step, times = 1) {
          counts[step] = (counts[step] ?? 0) + times
          return percent(counts)
        },
      }
    },
  }
}
