import { render } from 'preact'
import { App } from './app.tsx'
import { keepToken } from './token.ts'
import './main.css'

keepToken()
render(<App />, document.body)
