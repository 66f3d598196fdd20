import { parseArgs } from 'node:util'
import { showGeneration } from './async-generation/generation-demo.ts'
import { showCampaignImport } from './campaign/campaign-demo.ts'
import { showCsvProcessor } from './csv-processor/csv-processor-demo.ts'
import { showTransform } from './data-transform/transform-demo.ts'
import { showErrorContract } from './error-contract.ts'
import { keepConsoleOpen } from './keep-console-open.ts'
import { showPlantedMistake } from './planted-mistake.ts'
import { createScreen } from './screen.ts'

const { values } = parseArgs({ options: { console: { type: 'boolean', default: false } } })
const screen = createScreen()
if (values.console) {
  await keepConsoleOpen(screen)
} else {
  await showErrorContract(screen)
  await showPlantedMistake(screen)
  await showCampaignImport(screen)
  await showCsvProcessor(screen)
  await showGeneration(screen)
  await showTransform(screen)
  screen.title('What to try next')
  screen.line('npx -y pnpm@12 demo --console   an execution in the console, in your browser')
  screen.line('npx -y pnpm@12 test             every test of every package')
  screen.line('npx -y pnpm@12 bench            figures against named peers')
  screen.line(
    'npx -y pnpm@12 --dir apps/campaign-import exec stepwright dev   an app, its page and its console',
  )
  screen.line('docs/                           guides and decisions')
}
