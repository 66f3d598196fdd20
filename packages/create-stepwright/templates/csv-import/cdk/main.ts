import { StepwrightApp } from '@stepwright/cdk'
import { App, Stack } from 'aws-cdk-lib'
import { Vpc } from 'aws-cdk-lib/aws-ec2'
import { app } from '../src/app.ts'

const stage = process.env['STAGE'] ?? 'dev'
const cdk = new App({ outdir: 'cdk.out' })
const stack = new Stack(cdk, `${app.name}-${stage}`)

// For the database and the functions; a network that you have: Vpc.fromLookup.
const vpc = new Vpc(stack, 'Vpc', { maxAzs: 2, natGateways: 1 })

new StepwrightApp(stack, 'App', { app, stage, vpc, keepData: stage === 'prod' })
cdk.synth()
