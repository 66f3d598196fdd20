import { render } from 'preact'
import { createApi } from './api.ts'
import './main.css'
import { Page } from './page.tsx'
import { takeToken } from './token.ts'

render(<Page apiOf={createApi} firstToken={takeToken()} />, document.body)
