import type { RunningApp } from '@stepwright/local-cloud'
import { ConsoleProblem } from '../problem.ts'
import type { MailDescription } from '../protocol.ts'
import type { ApiContext, ApiRoutes } from './context.ts'
import { readCount } from './read-query.ts'

const pageSize = 200

type Mail = RunningApp['services']['mailbox']['messages'][number]

export const mailRoutes: ApiRoutes = {
  'GET /api/mails': async ({ query }, { running }) => {
    const search = (query.get('search') ?? '').toLowerCase()
    const offset = readCount(query, 'offset')
    const all = running.services.mailbox.messages
      .toReversed()
      .filter(
        ({ subject, to, from }) =>
          search === '' || [subject, from, ...to].some(text => text.toLowerCase().includes(search)),
      )
    return {
      total: all.length,
      mails: all
        .slice(offset, offset + (readCount(query, 'limit') || pageSize))
        .map(({ messageId, from, to, subject }) => ({ id: messageId, from, to, subject })),
    }
  },

  'GET /api/mail': async ({ query }, context): Promise<MailDescription> => {
    const { messageId, from, to, cc, subject, text, html, raw } = findMail(context, query.get('id') ?? '')
    return {
      id: messageId,
      from,
      to,
      cc,
      subject,
      text,
      raw,
      htmlPath:
        html === undefined
          ? undefined
          : `/mail/${messageId}?ticket=${context.ticketFor(`mail ${messageId}`)}`,
    }
  },
}

export function findMail({ running }: ApiContext, id: string): Mail {
  const found = running.services.mailbox.messages.find(({ messageId }) => messageId === id)
  if (found === undefined) throw new ConsoleProblem(404, 'There is no such message.')
  return found
}
