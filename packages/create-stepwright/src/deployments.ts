export type DeploymentName = 'none' | 'cdk' | 'sam'

/** How a new project gets to AWS. */
export interface Deployment {
  readonly title: string
  readonly devDependencies: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  /** What it adds to every project, under `templates`. */
  readonly folder?: string
  /** The folder of a template that is for it alone. */
  readonly own?: string
}

export const deployments: Readonly<Record<DeploymentName, Deployment>> = {
  none: { title: 'decide later', devDependencies: [], scripts: {} },
  cdk: {
    title: 'a stack of CDK, in the folder cdk',
    devDependencies: ['@stepwright/cdk', 'aws-cdk-lib', 'constructs', 'esbuild'],
    scripts: { synth: 'node cdk/main.ts' },
    folder: 'with-cdk',
    own: 'cdk',
  },
  sam: {
    title: "a template for SAM, written by 'npm run synth'",
    devDependencies: ['esbuild'],
    scripts: { synth: 'stepwright synth --target sam --stage dev' },
    folder: 'with-sam',
  },
}
