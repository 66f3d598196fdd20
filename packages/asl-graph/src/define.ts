/// <reference lib="dom" />
import { AslGraphElement } from './element.ts'

if (globalThis.customElements && !customElements.get('asl-graph'))
  customElements.define('asl-graph', AslGraphElement)
