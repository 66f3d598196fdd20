import {
  type App,
  isRuleTrigger,
  objectCreatedPattern,
  type Places,
  type TriggerDeclaration,
} from '@stepwright/app'
import { callJsonService } from '@stepwright/local-server'

/** Makes EventBridge's rules of the app's triggers on objects, events and schedules, as a deployment does. */
export async function putRules(app: App, places: Places, endpoint: string): Promise<void> {
  const triggers: readonly (readonly [string, TriggerDeclaration])[] = Object.entries(app.triggers ?? {})
  const call = (operation: string, input: object): Promise<unknown> =>
    callJsonService({ endpoint, target: `AWSEvents.${operation}`, version: '1.1', input })
  for (const [name, trigger] of triggers) {
    if (!isRuleTrigger(trigger)) continue
    const Name = `${app.name}-${name}`
    await call('PutRule', { Name, ...sourceOf(trigger, places) })
    const Arn = 'calls' in trigger ? places.functionArn(trigger.calls) : places.workflowArn(trigger.starts)
    const input = 'schedule' in trigger ? trigger.input : undefined
    const target = { Id: 'target', Arn, ...(input !== undefined && { Input: JSON.stringify(input) }) }
    await call('PutTargets', { Rule: Name, Targets: [target] })
  }
}

function sourceOf(
  trigger: Exclude<TriggerDeclaration, { queue: string } | { stream: string }>,
  places: Places,
): object {
  if ('schedule' in trigger) return { ScheduleExpression: trigger.schedule }
  const pattern =
    'event' in trigger
      ? trigger.event
      : objectCreatedPattern(places.bucketName(trigger.objectCreated.bucket), trigger.objectCreated)
  return { EventPattern: JSON.stringify(pattern) }
}
