import type { QueryLanguage, State } from '@stepwright/asl'
import type { Json } from '../json.ts'

const always = ['input', 'errorDetails', 'variables']
const mapSettings = ['maxConcurrency', 'toleratedFailureCount', 'toleratedFailurePercentage']

/** What TestState shows of each type of state. */
function shownFields(state: State, language: QueryLanguage): readonly string[] {
  const isJsonata = (state.QueryLanguage ?? language) === 'JSONata'
  switch (state.Type) {
    case 'Task':
      return isJsonata
        ? ['afterArguments', 'result']
        : ['afterInputPath', 'afterParameters', 'result', 'afterResultSelector', 'afterResultPath']
    case 'Pass':
      if (isJsonata) return []
      return state.Result === undefined
        ? ['afterInputPath', 'afterParameters', 'afterResultSelector', 'afterResultPath']
        : ['result', 'afterResultSelector', 'afterResultPath']
    case 'Parallel':
      return isJsonata ? [] : ['afterResultSelector', 'afterResultPath']
    case 'Map':
      return isJsonata
        ? mapSettings
        : [...mapSettings, 'afterInputPath', 'afterItemsPath', 'afterResultSelector', 'afterResultPath']
    default:
      return isJsonata ? [] : ['afterInputPath']
  }
}

export function selectInspection(
  inspection: Readonly<Record<string, Json>>,
  state: State,
  language: QueryLanguage,
): Record<string, Json> {
  const shown = new Set([...always, ...shownFields(state, language)])
  return Object.fromEntries(Object.entries(inspection).filter(([name]) => shown.has(name)))
}
