import { type Binding, bindFrom, setting } from '@stepwright/app/bindings'
import type { SealStore } from '@stepwright/audit-log'
import * as z from 'zod'

/** Seals in the directory that the variable SEAL_DIRECTORY names. */
export const directorySeals: Binding<SealStore> = bindFrom(
  setting('SEAL_DIRECTORY', z.string(), { value: '/mnt/seals' }),
  async directory => {
    const { createDirectorySealStore } = await import('./directory-seal-store.ts')
    return createDirectorySealStore({ directory })
  },
)
