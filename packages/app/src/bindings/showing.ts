import type { Environment } from '@stepwright/task/settings'
import { type Binding, openAll } from './binding.ts'
import type { Inspected, Shown } from './shown.ts'

/** The same binding, of which tools can show something. */
export function showing<Port>(binding: Binding<Port>, shown: Shown): Binding<Port> {
  const { shows = [] } = binding.needs
  return { ...binding, needs: { ...binding.needs, shows: [...shows, shown] } }
}

/** Opens what a tool shows, with the environment of a function that has the port. */
export async function inspectShown<Kind extends keyof Inspected>(
  { of, inspect }: Shown<Kind>,
  environment: Environment,
): Promise<Inspected[Kind]> {
  const [module, opened] = await Promise.all([inspect(), openAll(of, environment)])
  return module.inspect(opened, environment)
}
