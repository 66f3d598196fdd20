import type { Deployment } from '../deployment.ts'
import { logicalId, ref, sub, type TemplateResources } from './template.ts'

/** Configuration sets of SES, each telling the account's default bus what becomes of messages. */
export function mailResources({ names }: Deployment): TemplateResources {
  return Object.fromEntries(
    Object.entries(names.configurationSets).flatMap(([key, name]) => {
      const id = logicalId(key, 'ConfigurationSet')
      return [
        [
          id,
          {
            Type: 'AWS::SES::ConfigurationSet',
            Properties: {
              Name: name,
              DeliveryOptions: { TlsPolicy: 'REQUIRE' },
              ReputationOptions: { ReputationMetricsEnabled: true },
            },
          },
        ],
        [
          `${id}Events`,
          {
            Type: 'AWS::SES::ConfigurationSetEventDestination',
            Properties: {
              ConfigurationSetName: ref(id),
              EventDestination: {
                Name: 'events',
                Enabled: true,
                MatchingEventTypes: ['DELIVERY', 'BOUNCE', 'COMPLAINT', 'REJECT'],
                EventBridgeDestination: {
                  EventBusArn: sub(
                    `arn:\${AWS::Partition}:events:\${AWS::Region}:\${AWS::AccountId}:event-bus/default`,
                  ),
                },
              },
            },
          },
        ],
      ]
    }),
  )
}
