import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { AppDescription } from '../src/protocol.ts'

export const AppContext = createContext<AppDescription | undefined>(undefined)

export function useApp(): AppDescription {
  const app = useContext(AppContext)
  if (app === undefined) throw new Error('The app is not loaded.')
  return app
}
