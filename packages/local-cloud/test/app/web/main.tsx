import { render } from 'preact'
import './main.css'

render(<h1>Hello</h1>, document.body)
