import type { App as ShopApp } from '@stepwright/app'
import { StepwrightApp } from '@stepwright/cdk'
import { type App, Stack } from 'aws-cdk-lib'
import type { IVpc } from 'aws-cdk-lib/aws-ec2'
import type { ITopic } from 'aws-cdk-lib/aws-sns'

export function deploy(app: App, csvProcessor: ShopApp, vpc: IVpc, alarmTopic: ITopic): void {
  const stack = new Stack(app, 'csv-processor-prod')
  new StepwrightApp(stack, 'App', { app: csvProcessor, stage: 'prod', vpc, alarmTopic })
}
