import { App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import { createStacks } from './create-stacks.ts'

const app = new App({ outdir: 'cdk.out' })
createStacks(app)
Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
app.synth()
