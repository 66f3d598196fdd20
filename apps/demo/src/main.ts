import { showCampaignImport } from './campaign/campaign-demo.ts'
import { showCsvProcessor } from './csv-processor/csv-processor-demo.ts'
import { showErrorContract } from './error-contract.ts'
import { createScreen } from './screen.ts'

const screen = createScreen()
await showErrorContract(screen)
await showCampaignImport(screen)
await showCsvProcessor(screen)
screen.title('What to try next')
screen.line('pnpm test                                         every test of every package')
screen.line('cd apps/campaign-import && pnpm stepwright dev    this cloud, until Ctrl-C')
screen.line('pnpm bench                                        figures against named peers')
screen.line('docs/                                             guides and decisions')
