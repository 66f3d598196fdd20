import type { IGrantable } from 'aws-cdk-lib/aws-iam'

declare const auditor: IGrantable

import { StepwrightApp } from '@stepwright/cdk'
import { App, Stack } from 'aws-cdk-lib'
import { app } from './src/app.ts' // made by defineApp

const stack = new Stack(new App(), 'shop-prod')
const shop = new StepwrightApp(stack, 'App', { app, stage: 'prod' })
shop.buckets.orders?.grantRead(auditor)
