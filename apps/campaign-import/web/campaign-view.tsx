import { useState } from 'preact/hooks'
import { type Action, showCampaign, tell } from './api.ts'
import { type Campaign, canBeCancelled, canBeChanged, formatCount, formatTime, isMoving } from './campaign.ts'
import { inJapanese } from './in-japanese.ts'
import { RejectedRows } from './rejected-rows.tsx'
import { Status } from './status.tsx'
import { useRepeated } from './use-repeated.ts'

const refreshMs = 1000

export function CampaignView({ id, onChange }: { readonly id: string; readonly onChange: () => void }) {
  const [campaign, setCampaign] = useState<Campaign>()
  const [problem, setProblem] = useState('')
  const say = (error: Error) => setProblem(error.message)
  const refresh = () =>
    showCampaign(id).then(found => {
      if (campaign && found.status !== campaign.status) onChange()
      setCampaign(found)
    }, say)
  useRepeated(
    refresh,
    campaign === undefined || isMoving(campaign) || campaign.resending ? refreshMs : undefined,
    [campaign?.status, campaign?.resending],
  )
  if (!campaign) return problem === '' ? <p class="quiet">読み込み中…</p> : <p role="alert">{problem}</p>

  const act = (action: Action) => () => tell(id, action).then(refresh, say).then(onChange)
  const { status, subject, scheduled_at, progress, failure_reason, sending } = campaign
  return (
    <article>
      <h2>{subject}</h2>
      <p aria-live="polite">
        <Status status={status} /> 送信日時 {formatTime(scheduled_at)}
      </p>
      {(status === '取込中' || status === '送信中') && (
        <label class="progress">
          {status === '取込中' ? '取込' : '送信'}の進み具合 {Math.floor(progress)}%
          <progress max={100} value={progress} />
        </label>
      )}
      {failure_reason && (
        <div role="alert">
          <strong>{status === '取込失敗' ? 'CSVを取り込めませんでした。' : '送信を停止しました。'}</strong>
          <p>
            {failure_reason.details?.rowNumber !== undefined && `${failure_reason.details.rowNumber}行目: `}
            {inJapanese(failure_reason.message, failure_reason.code)}
            {failure_reason.details?.found && `（1行目: ${failure_reason.details.found.join('、')}）`}
          </p>
        </div>
      )}
      {problem !== '' && <p role="alert">{problem}</p>}
      <Counts campaign={campaign} />
      <p class="actions">
        {canBeChanged(campaign) && (
          <a class="button" href={`#/${id}/edit`}>
            変更・CSV差し替え
          </a>
        )}
        {(status === '送信中' || campaign.resending) && (
          <button type="button" onClick={act('pause')}>
            送信を一時停止
          </button>
        )}
        {canBeCancelled(campaign) && (
          <button type="button" onClick={act('cancel')}>
            取り消す
          </button>
        )}
        {(status === '送信済' || status === '送信停止') && sending !== null && sending.unconfirmed > 0 && (
          <button type="button" onClick={act('resend')}>
            未確認の{formatCount(sending.unconfirmed)}件に再送
          </button>
        )}
      </p>
      <RejectedRows campaign={campaign} />
    </article>
  )
}

function Counts({
  campaign: { total_count, duplicate_count, rejected_count, sending },
}: {
  readonly campaign: Campaign
}) {
  const counts: readonly (readonly [string, number | null])[] = [
    ['宛先', total_count],
    ['重複', duplicate_count],
    ['除外した行', rejected_count],
    ...(sending
      ? ([
          ['送信済', sending.sent],
          ['未送信', sending.pending],
          ['不達', sending.bounced],
          ['苦情', sending.complained],
          ['配信停止', sending.suppressed],
          ['未確認', sending.unconfirmed],
        ] as const)
      : []),
  ]
  return (
    <dl>
      {counts.map(([label, count]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
