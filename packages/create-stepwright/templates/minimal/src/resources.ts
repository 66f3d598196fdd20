import { workflow } from '@stepwright/app/bindings'

export const ordering = workflow('order')
