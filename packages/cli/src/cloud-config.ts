import type { LocalCloud, LocalCloudOptions } from '@stepwright/local-cloud'
import type { LoadedConfig } from './config.ts'
import { UsageError } from './io.ts'

/** What an app has in AWS, for `stepwright dev` and `stepwright run`. */
export interface CloudConfig extends LocalCloudOptions {
  /** Runs when the cloud is there, before anything else: migrations, tables, sample data. */
  readonly prepare?: (cloud: LocalCloud) => Promise<void>
}

/** Starts the cloud that the config describes, prepared. */
export async function startConfigured(
  config: LoadedConfig,
  more: LocalCloudOptions = {},
): Promise<LocalCloud> {
  if (config.cloud === undefined) {
    throw new UsageError(
      `${config.file} has no "cloud": say what the app has in AWS (buckets, functions, stateMachines).`,
    )
  }
  const { startLocalCloud } = await importLocalCloud()
  const { prepare, ...options } = await config.cloud()
  const cloud = await startLocalCloud({ ...options, ...more })
  try {
    await prepare?.(cloud)
    return cloud
  } catch (error) {
    await cloud.stop()
    throw error
  }
}

async function importLocalCloud(): Promise<typeof import('@stepwright/local-cloud')> {
  try {
    return await import('@stepwright/local-cloud')
  } catch (cause) {
    throw new UsageError(
      'This needs @stepwright/local-cloud: npm install --save-dev @stepwright/local-cloud',
      { cause },
    )
  }
}
