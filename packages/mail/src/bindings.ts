import {
  type Binding,
  bindFrom,
  type ConfigurationSetResource,
  reference,
  type SecretResource,
} from '@stepwright/app/bindings'
import type { Mailer } from './mailer.ts'
import type { OutboxRecipient, OutboxStore } from './outbox.ts'
import type { PostgresOutboxOptions } from './postgres/postgres-outbox.ts'
import type { PostgresSuppressionsOptions } from './postgres/postgres-suppressions.ts'
import type { Queryable } from './postgres/queryable.ts'
import type { Suppressions } from './suppressions.ts'
import type { UnsubscribeTokens } from './unsubscribe-tokens.ts'

/** Sends with SES and a configuration set, whose events say what became of the messages. */
export function sesMailer(configurationSet: ConfigurationSetResource): Binding<Mailer> {
  return bindFrom(reference(configurationSet, 'send'), async name => {
    const { createSesMailer } = await import('./ses-mailer.ts')
    return createSesMailer({ configurationSet: name })
  })
}

/** The suppressed addresses in PostgreSQL: `suppressions(postgres(db))`. */
export function suppressions(
  pool: Binding<Queryable>,
  options: Omit<PostgresSuppressionsOptions, 'pool'> = {},
): Binding<Suppressions> {
  return bindFrom(pool, async opened => {
    const { createPostgresSuppressions } = await import('./postgres/postgres-suppressions.ts')
    return createPostgresSuppressions({ ...options, pool: opened })
  })
}

/** The recipients of mailings in PostgreSQL: `outbox<Customer>(postgres(db), { recipients, mailings })`. */
export function outbox<Recipient extends OutboxRecipient>(
  pool: Binding<Queryable>,
  tables: Omit<PostgresOutboxOptions, 'pool'>,
): Binding<OutboxStore<Recipient>> {
  return bindFrom(pool, async opened => {
    const { createPostgresOutbox } = await import('./postgres/postgres-outbox.ts')
    return createPostgresOutbox<Recipient>({ ...tables, pool: opened })
  })
}

/** The tokens of unsubscription. The secret is 32 bytes in base64, several separated by commas: the first seals. */
export function unsubscribeTokens(keys: SecretResource): Binding<UnsubscribeTokens> {
  return bindFrom(reference(keys), async secret => {
    const { createUnsubscribeTokens } = await import('./unsubscribe-tokens.ts')
    return createUnsubscribeTokens(secret.split(',').map(key => Buffer.from(key, 'base64')))
  })
}
