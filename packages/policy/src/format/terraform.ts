import type { PolicyDocument } from '../statement.ts'

const references: Readonly<Record<string, string>> = {
  'AWS::AccountId': 'data.aws_caller_identity.current.account_id',
  'AWS::Partition': 'data.aws_partition.current.partition',
  'AWS::Region': 'data.aws_region.current.region',
  'AWS::URLSuffix': 'data.aws_partition.current.dns_suffix',
}

/** CloudFormation's pseudo parameters, as Terraform's data sources write them; other placeholders become variables. */
function toTerraformText(text: string): string {
  return text.replaceAll(/\$\{([^{}]+)\}/g, (_, name: string) => {
    const reference = references[name] ?? `var.${toIdentifier(name)}`
    return `\${${reference}}`
  })
}

/** Policies as `aws_iam_policy_document` data sources, in Terraform's JSON. */
export function formatTerraformPolicies(policies: Readonly<Record<string, PolicyDocument>>): object {
  return {
    data: {
      aws_caller_identity: { current: {} },
      aws_partition: { current: {} },
      aws_region: { current: {} },
      aws_iam_policy_document: Object.fromEntries(
        Object.entries(policies).map(([name, { Statement: statements }]) => [
          toIdentifier(name),
          {
            statement: statements.map(({ Sid, Action, Resource, Condition = {} }) => ({
              sid: Sid,
              actions: Action,
              resources: Resource.map(toTerraformText),
              ...(Object.keys(Condition).length > 0 && {
                condition: Object.entries(Condition).flatMap(([test, keys]) =>
                  Object.entries(keys).map(([variable, values]) => ({
                    test,
                    variable,
                    values: values.map(toTerraformText),
                  })),
                ),
              }),
            })),
          },
        ]),
      ),
    },
  }
}

/** `csv-processor.CsvProcessor` → `csv_processor_CsvProcessor`. */
function toIdentifier(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, '_')
}
