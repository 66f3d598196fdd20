import type { CallService, ServiceCall } from '@stepwright/asl-engine'
import { toTaskFailure } from './failures.ts'
import { type HttpConnections, invokeHttp } from './http-invoke.ts'
import { metadataOf, optimised } from './optimised.ts'
import { createSdkClients, type IntegratedService, type IntegrationEndpoints } from './sdk-clients.ts'
import { toParameters, toResult } from './sdk-values.ts'

export interface IntegrationsOptions {
  readonly endpoints: IntegrationEndpoints
  readonly connections: HttpConnections
  readonly region: string
  readonly uuid: () => string
  /** Answers what no service here does. */
  readonly others: CallService
}

export interface Integrations {
  readonly call: CallService
  close(): void
}

/** Calls the services of this machine for state machines, as Step Functions calls AWS's. */
export function createIntegrations({
  endpoints,
  connections,
  region,
  uuid,
  others,
}: IntegrationsOptions): Integrations {
  const clients = createSdkClients(endpoints, region)

  async function refused<T>(service: string, sdk: IntegratedService, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toTaskFailure(service, error, name => clients.knowsError(sdk, name))
    }
  }

  async function callOptimised(call: ServiceCall): Promise<unknown> {
    const { service, action, parameters, result } = optimised[
      `${call.service}:${call.action}`
    ] as NonNullable<(typeof optimised)[string]>
    const given = parameters(call.parameters as Readonly<Record<string, unknown>>, call)
    const answer = await refused(call.service, service, () =>
      clients.call(service, action, given, call.signal),
    )
    const output = (await result(answer.output)) as object
    return { ...output, ...metadataOf(answer, answer.headers['x-amzn-requestid'] ?? uuid(), 200) }
  }

  async function callSdk(service: IntegratedService, call: ServiceCall): Promise<unknown> {
    const given = toParameters(service, call.action, call.parameters)
    const { output } = await refused(call.service, service, () =>
      clients.call(service, call.action, given, call.signal),
    )
    return toResult(service, output)
  }

  return {
    call(call) {
      const integration = optimised[`${call.service}:${call.action}`]
      if (integration && clients.has(integration.service)) return callOptimised(call)
      const sdk = call.service.startsWith('aws-sdk:') ? call.service.slice('aws-sdk:'.length) : ''
      if (clients.has(sdk)) return callSdk(sdk, call)
      if (call.service === 'http' && call.action === 'invoke') return invokeHttp(call, connections)
      return others(call)
    },
    close: clients.close,
  }
}
