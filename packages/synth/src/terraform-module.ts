import type { Deployment } from './deployment.ts'
import type { Template } from './template/template.ts'

/** A file of the deployment: an archive of code, a script, or the template. */
export interface DeployedFile {
  /** Its key in the bucket of the code, behind the prefix. */
  readonly key: string
  /** Where it is, relative to the module. */
  readonly path: string
}

/** Uploaded under its hash: another template is another URL, so that the stack is updated. */
export interface UploadedTemplate extends DeployedFile {
  readonly template: Template
}

/**
 * A module of Terraform, in its JSON, that uploads the files and creates one CloudFormation stack of the template. The
 * template's parameters are its variables, its outputs its outputs.
 */
export function toTerraformModule(
  { app, stage, tags }: Pick<Deployment, 'app' | 'stage' | 'tags'>,
  { template, ...uploaded }: UploadedTemplate,
  files: readonly DeployedFile[],
): object {
  const parameters = Object.entries(template.Parameters)
  const variables = parameters.filter(([name]) => !(name in derived))
  return {
    terraform: {
      required_version: '>= 1.5',
      required_providers: { aws: { source: 'hashicorp/aws', version: '>= 5.0' } },
    },
    variable: Object.fromEntries(
      variables.map(([name, { Type, Description, Default }]) => [
        toSnake(name),
        {
          type: isList(Type) ? 'list(string)' : 'string',
          description: Description,
          ...(Default !== undefined && { default: Default }),
        },
      ]),
    ),
    data: { aws_s3_bucket: { code: { bucket: `\${var.code_bucket}` } } },
    resource: {
      aws_s3_object: {
        files: {
          for_each: Object.fromEntries([uploaded, ...files].map(({ key, path }) => [key, path])),
          bucket: `\${var.code_bucket}`,
          key: `\${var.code_prefix}\${each.key}`,
          source: `\${path.module}/\${each.value}`,
          source_hash: `\${filemd5("\${path.module}/\${each.value}")}`,
        },
      },
      aws_cloudformation_stack: {
        app: {
          name: [app.name, ...(stage === undefined ? [] : [stage])].join('-'),
          template_url: `https://\${data.aws_s3_bucket.code.bucket_regional_domain_name}/\${var.code_prefix}${uploaded.key}`,
          capabilities: ['CAPABILITY_IAM'],
          parameters: Object.fromEntries(
            parameters.map(([name, { Type }]) => [
              name,
              derived[name] ??
                (isList(Type) ? `\${join(",", var.${toSnake(name)})}` : `\${var.${toSnake(name)}}`),
            ]),
          ),
          tags,
          // CloudFormation reads the code while it creates the functions.
          depends_on: ['aws_s3_object.files'],
        },
      },
    },
    output: Object.fromEntries(
      Object.entries(template.Outputs).map(([name, { Description }]) => [
        toSnake(name),
        { description: Description, value: `\${aws_cloudformation_stack.app.outputs["${name}"]}` },
      ]),
    ),
  }
}

/** Parameters that follow from others: other subnets are another proxy. */
const derived: Readonly<Record<string, string>> = {
  ProxySuffix: `-\${substr(sha256(join(",", var.subnet_ids)), 0, 8)}`,
}

function isList(type: string): boolean {
  return type.startsWith('List<')
}

/** `AlarmTopicArn` as `alarm_topic_arn`. */
function toSnake(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, letter => `_${letter}`).toLowerCase()
}
