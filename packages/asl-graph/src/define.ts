/// <reference lib="dom" />
import { AslGraphElement } from './element.ts'

if (!customElements.get('asl-graph')) customElements.define('asl-graph', AslGraphElement)
