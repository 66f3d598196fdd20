import type { State, StateMachine, SubMachine } from '@stepwright/asl'

/** Every state of a definition by its name, those inside Maps and Parallels too. */
export function statesByName({
  States,
}: Pick<StateMachine | SubMachine, 'States'>): ReadonlyMap<string, State> {
  const states = new Map<string, State>()
  for (const [name, state] of Object.entries(States ?? {})) {
    states.set(name, state)
    for (const inner of machinesIn(state))
      for (const [key, each] of statesByName(inner)) states.set(key, each)
  }
  return states
}

function machinesIn(state: State): readonly Pick<SubMachine, 'States'>[] {
  const {
    Branches = [],
    ItemProcessor,
    Iterator,
  } = state as {
    readonly Branches?: readonly SubMachine[]
    readonly ItemProcessor?: SubMachine
    readonly Iterator?: SubMachine
  }
  return [...Branches, ItemProcessor, Iterator].filter(machine => machine !== undefined)
}
