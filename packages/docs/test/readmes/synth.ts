import type { App } from '@stepwright/app'

declare const app: App

import { bundleFunctions, planDeployment, toCloudFormation } from '@stepwright/synth'

const deployment = planDeployment(app, { stage: 'prod' })
const template = toCloudFormation(deployment, name => ({ S3Bucket: 'code', S3Key: `${name}.zip` }))
const bundles = bundleFunctions(app, 'build')

export { bundles, template }
