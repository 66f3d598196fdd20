import type { Deployment } from '../deployment.ts'
import type { Template } from '../template/template.ts'

/** A file of the deployment: an archive of code, or a script. */
export interface DeployedFile {
  /** Its key in the bucket of the code. */
  readonly key: string
  /** Where it is, relative to the module. */
  readonly path: string
}

/**
 * A module of Terraform, in its JSON: it uploads the code and hands CloudFormation the template that was checked, so
 * that what Terraform deploys is what the other tools do. The template's parameters are the module's variables.
 */
export function toTerraform(
  { app, stage, tags }: Deployment,
  { Parameters: parameters, Outputs: outputs }: Template,
  template: DeployedFile,
  code: readonly DeployedFile[],
): object {
  const files = [...code, template]
  const name = [app.name, ...(stage === undefined ? [] : [stage])].join('-')
  const asked = Object.entries(parameters).filter(([key]) => key !== 'CodeBucket' && key !== 'CodePrefix')
  return {
    terraform: { required_providers: { aws: { source: 'hashicorp/aws', version: '>= 5.0' } } },
    variable: {
      code_bucket: { type: 'string', description: 'An existing bucket for the functions’ code' },
      ...Object.fromEntries(
        asked.map(([key, { Type, Description, Default }]) => [
          toSnake(key),
          {
            type: Type.startsWith('List<') ? 'list(string)' : 'string',
            description: Description,
            ...(Default !== undefined && { default: Default }),
          },
        ]),
      ),
    },
    resource: {
      aws_s3_object: Object.fromEntries(
        files.map(({ key, path }) => [
          toIdentifier(key),
          {
            bucket: `\${var.code_bucket}`,
            key: `${name}/${key}`,
            source: `\${path.module}/${path}`,
            source_hash: `\${filemd5("\${path.module}/${path}")}`,
          },
        ]),
      ),
      aws_cloudformation_stack: {
        app: {
          name,
          template_url: `https://\${var.code_bucket}.s3.amazonaws.com/${name}/${template.key}`,
          capabilities: ['CAPABILITY_IAM'],
          parameters: {
            CodeBucket: `\${var.code_bucket}`,
            CodePrefix: `${name}/`,
            ...Object.fromEntries(
              asked.map(([key, { Type }]) => [
                key,
                Type.startsWith('List<') ? `\${join(",", var.${toSnake(key)})}` : `\${var.${toSnake(key)}}`,
              ]),
            ),
          },
          tags,
          depends_on: files.map(({ key }) => `aws_s3_object.${toIdentifier(key)}`),
        },
      },
    },
    output: Object.fromEntries(
      Object.entries(outputs).map(([key, { Description }]) => [
        toSnake(key),
        { description: Description, value: `\${aws_cloudformation_stack.app.outputs["${key}"]}` },
      ]),
    ),
  }
}

/** `SubnetIds` → `subnet_ids`. */
function toSnake(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, letter => `_${letter}`).toLowerCase()
}

function toIdentifier(key: string): string {
  return key.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_')
}
