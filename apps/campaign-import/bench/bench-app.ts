import { defineApp } from '@stepwright/app'
import { app } from '../src/app.ts'

const { DeleteExistingRecipients, SplitCSV, ImportChunk, SummarizeImport, FinalizeImport, StartSending } =
  app.functions
const naive = {
  module: 'bench/handlers/naive.ts',
  environment: { ...ImportChunk.environment, ...SplitCSV.environment, ...FinalizeImport.environment },
} as const

/** The app, and the straightforward one beside it: under the same state machine, so that that costs the same. */
export const benchApp = defineApp({
  ...app,
  name: 'campaign-bench',
  functions: {
    ...app.functions,
    NaiveCreateTables: { ...SummarizeImport, ...naive, export: 'createTables' },
    NaiveDelete: { ...DeleteExistingRecipients, ...naive, export: 'deleteExistingRecipients' },
    NaiveSplit: { ...SplitCSV, ...naive, export: 'splitCsv' },
    NaiveImport: { ...ImportChunk, ...naive, export: 'importChunk' },
    NaiveSummarize: { ...SummarizeImport, ...naive, export: 'summarizeImport' },
    NaiveStart: { ...StartSending, ...naive, export: 'startSending' },
    NaiveFinalize: { ...FinalizeImport, ...naive, export: 'finalizeImport' },
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
})
