import type { State, SubMachine } from '@stepwright/asl'

/** A state anywhere in a machine, by its name. */
export function findState(machine: SubMachine, name: string): State | undefined {
  for (const [key, state] of Object.entries(machine.States ?? {})) {
    if (key === name) return state
    const inner =
      state.Type === 'Parallel'
        ? state.Branches
        : state.Type === 'Map'
          ? [state.ItemProcessor ?? state.Iterator]
          : []
    for (const branch of inner) {
      const found = branch && findState(branch, name)
      if (found) return found
    }
  }
  return undefined
}
