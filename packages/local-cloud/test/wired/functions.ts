import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { api, bindFrom, binding, reference, workflow } from '@stepwright/app/bindings'
import { http, lambda } from '@stepwright/app/functions'
import { invoke } from '@stepwright/app/invoke'
import { countDown, GiveUp, hit, showLink, stumble } from './tasks.ts'

export const Ping = lambda(hit, {
  me: binding({ open: () => 'ping' }),
  other: invoke<typeof hit>('Pong'),
})
export const Pong = lambda(hit, {
  me: binding({ open: () => 'pong' }),
  other: invoke<typeof hit>('Ping', { errors: [GiveUp] }),
})

export const CountDown = lambda(countDown, {
  start: bindFrom(reference(workflow('countdown'), 'start'), stateMachineArn => {
    const client = new SFNClient({})
    return (input: { left: number }) => {
      const name = `left-${input.left}`
      return client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }))
    }
  }),
})

export const Stumble = lambda(stumble, {})

export const ShowLink = http(showLink, { url: reference(api()) }, { envelope: false })
