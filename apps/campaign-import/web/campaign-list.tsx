import { formatCount, formatTime, type Summary } from './campaign.ts'
import { Status } from './status.tsx'

export function CampaignList({
  campaigns,
  current,
}: {
  readonly campaigns: readonly Summary[]
  readonly current: string | undefined
}) {
  return (
    <nav aria-label="登録済みのお知らせ">
      <h2>登録済み</h2>
      {campaigns.length === 0 && <p class="quiet">まだありません。</p>}
      <ul>
        {campaigns.map(({ campaign_id, status, subject, scheduled_at, total_count }) => (
          <li key={campaign_id}>
            <a href={`#/${campaign_id}`} aria-current={campaign_id === current ? 'page' : undefined}>
              <strong>{subject}</strong>
              <Status status={status} />
              <span class="quiet">
                {formatTime(scheduled_at)}・{formatCount(total_count)}件
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
