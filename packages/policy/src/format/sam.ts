import type { PolicyDocument } from '../statement.ts'

/** Policies as a SAM template takes them under `Policies`, by name, with `Fn::Sub` where a value is the deployment's. */
export function formatSamPolicies(policies: Readonly<Record<string, PolicyDocument>>): object {
  return Object.fromEntries(
    Object.entries(policies).map(([name, { Version, Statement: statements }]) => [
      name,
      {
        Policies: [
          {
            Version,
            Statement: statements.map(statement => ({
              ...statement,
              Resource: statement.Resource.map(each => (each.includes('${') ? { 'Fn::Sub': each } : each)),
            })),
          },
        ],
      },
    ]),
  )
}
