export { type MailingSnapshot, mailingViolations } from './mailing-violations.ts'
export { type OutboxUnderTest, testOutboxStore } from './test-outbox.ts'
export { testSuppressions } from './test-suppressions.ts'
