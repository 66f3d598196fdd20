import { showErrorContract } from './error-contract.ts'
import { createScreen } from './screen.ts'

const screen = createScreen()
await showErrorContract(screen)
screen.title('What to try next')
screen.line('pnpm test        every test of every package')
screen.line('pnpm bench       figures against named peers')
screen.line('docs/            guides and decisions')
