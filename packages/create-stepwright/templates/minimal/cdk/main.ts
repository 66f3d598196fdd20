import { StepwrightApp } from '@stepwright/cdk'
import { App, CfnParameter, Stack } from 'aws-cdk-lib'
import { app } from '../src/app.ts'

const stage = process.env['STAGE'] ?? 'dev'
const cdk = new App({ outdir: 'cdk.out' })
const stack = new Stack(cdk, `${app.name}-${stage}`)

// Asked for when the stack is deployed: who issues the tokens that the API takes.
const issuer = new CfnParameter(stack, 'TokenIssuer', { description: 'Who issues tokens: https://…' })
const audience = new CfnParameter(stack, 'TokenAudience', { description: 'Whom they are for' })

new StepwrightApp(stack, 'App', {
  app,
  stage,
  keepData: stage === 'prod',
  jwt: { issuer: issuer.valueAsString, audience: audience.valueAsString },
})
cdk.synth()
