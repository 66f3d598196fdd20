import type { SupportedParameters } from '@stepwright/local-server'

const paged = ['NextToken', 'Limit']

/** What each operation reads. */
export const parameters: SupportedParameters = {
  PutEvents: ['Entries'],
  PutRule: [
    ...['Name', 'EventBusName', 'EventPattern', 'ScheduleExpression', 'State', 'Description'],
    ...['RoleArn', 'Tags'],
  ],
  DescribeRule: ['Name', 'EventBusName'],
  ListRules: ['NamePrefix', 'EventBusName', ...paged],
  // No rule here is managed by a service, so that there is nothing to force.
  DeleteRule: ['Name', 'EventBusName', 'Force'],
  EnableRule: ['Name', 'EventBusName'],
  DisableRule: ['Name', 'EventBusName'],
  PutTargets: ['Rule', 'EventBusName', 'Targets'],
  RemoveTargets: ['Rule', 'EventBusName', 'Ids', 'Force'],
  ListTargetsByRule: ['Rule', 'EventBusName', ...paged],
  ListRuleNamesByTarget: ['TargetArn', 'EventBusName', ...paged],
  TestEventPattern: ['EventPattern', 'Event'],
  CreateEventBus: ['Name', 'Description', 'Tags'],
  DeleteEventBus: ['Name'],
  DescribeEventBus: ['Name'],
  ListEventBuses: ['NamePrefix', ...paged],
  TagResource: ['ResourceARN', 'Tags'],
  UntagResource: ['ResourceARN', 'TagKeys'],
  ListTagsForResource: ['ResourceARN'],
}
