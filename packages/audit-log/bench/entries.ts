import type { NewAuditEntry } from '@stepwright/audit-log'

/** What a batch of a CSV leaves: one row in fifty is wrong. */
export function toEntries(count: number): NewAuditEntry[] {
  return Array.from({ length: count }, (_, itemIndex) => ({
    executionId: 'user-log-20240802-001',
    itemIndex,
    logType: itemIndex % 50 === 0 ? 'BUSINESS_ERROR' : 'SUCCESS',
    timestamp: '2024-08-02T12:34:56.789Z',
    userRecord: { ユーザーID: `U${itemIndex}`, ログイン回数: '5', 投稿回数: '12' },
    processResult: { updated: true, userId: `U${itemIndex}`, loginCount: 5, postCount: 12 },
  }))
}
