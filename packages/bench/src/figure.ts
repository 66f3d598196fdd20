export type Goal = { readonly atLeast: number } | { readonly atMost: number }

/** Prints `figure NAME VALUE goal >= GOAL`; a missed goal makes the process exit with 1. */
export function figure(name: string, value: number, goal: Goal): void {
  const [sign, bound] = 'atLeast' in goal ? ['>=', goal.atLeast] : ['<=', goal.atMost]
  const reached = sign === '>=' ? value >= bound : value <= bound
  if (!reached) process.exitCode = 1
  console.log(`figure ${name} ${round(value)} goal ${sign} ${bound}`)
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 3 : 1)
}
