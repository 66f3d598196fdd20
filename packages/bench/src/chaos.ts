/**
 * How often a kill, soak or fuzz test repeats: `usual` in `pnpm test`, more under `pnpm chaos --rounds N`.
 */
export function chaosRounds(usual: number): number {
  const asked = process.env['CHAOS_ROUNDS']
  return asked === undefined ? usual : Number(asked)
}
