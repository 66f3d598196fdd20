import type { App, FunctionDeclaration } from '@stepwright/app'
import { app } from '../src/app.ts'

const environment = Object.assign(
  {},
  ...['ImportChunk', 'SplitCSV', 'FinalizeImport'].map(name => app.functions[name]?.environment),
)

/** A function of the app, with the straightforward handler in its place. */
function naive(name: string, handler: string): FunctionDeclaration {
  const declared = app.functions[name]
  if (declared === undefined) throw new TypeError(`there is no function ${name}`)
  return { ...declared, module: 'bench/handlers/naive.ts', export: handler, environment }
}

/** The app, and the straightforward one beside it: under the same state machine, so that that costs the same. */
export const benchApp: App = {
  ...app,
  name: 'campaign-bench',
  functions: {
    ...app.functions,
    NaiveCreateTables: naive('SummarizeImport', 'createTables'),
    NaiveDelete: naive('DeleteExistingRecipients', 'deleteExistingRecipients'),
    NaiveSplit: naive('SplitCSV', 'splitCsv'),
    NaiveImport: naive('ImportChunk', 'importChunk'),
    NaiveSummarize: naive('SummarizeImport', 'summarizeImport'),
    NaiveStart: naive('StartSending', 'startSending'),
    NaiveFinalize: naive('FinalizeImport', 'finalizeImport'),
  },
  workflows: {
    import: { definition: 'import.asl.json' },
    send: { definition: 'send.asl.json' },
    naive: {
      definition: 'import.asl.json',
      substitutions: {
        DeleteExistingRecipients: { function: 'NaiveDelete' },
        SplitCSV: { function: 'NaiveSplit' },
        ImportChunk: { function: 'NaiveImport' },
        SummarizeImport: { function: 'NaiveSummarize' },
        StartSending: { function: 'NaiveStart' },
        FinalizeImport: { function: 'NaiveFinalize' },
      },
    },
  },
}
