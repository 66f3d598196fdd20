import type { CampaignStatus } from './campaign.ts'

const looks: Readonly<Record<CampaignStatus, string>> = {
  取込中: 'moving',
  取込失敗: 'bad',
  送信予約済: 'waiting',
  送信中: 'moving',
  送信停止: 'bad',
  送信済: 'good',
  取消済: 'waiting',
}

export function Status({ status }: { readonly status: CampaignStatus }) {
  return <span class={`status ${looks[status]}`}>{status}</span>
}
