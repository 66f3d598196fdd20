import { useEffect, useState } from 'preact/hooks'
import { listCampaigns } from './api.ts'
import type { Summary } from './campaign.ts'
import { CampaignForm } from './campaign-form.tsx'
import { CampaignList } from './campaign-list.tsx'
import { CampaignView } from './campaign-view.tsx'
import { readToken } from './token.ts'
import { useRepeated } from './use-repeated.ts'

const refreshMs = 5000

/** `#/` registers, `#/ID` shows a campaign, `#/ID/edit` changes it. */
export function App() {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const [, id, action] = hash.split('/')
  const [campaigns, setCampaigns] = useState<readonly Summary[]>([])
  const [problem, setProblem] = useState('')
  const refresh = () =>
    listCampaigns().then(
      list => {
        setCampaigns(list)
        setProblem('')
      },
      error => setProblem(error.message),
    )
  useRepeated(refresh, refreshMs, [])

  if (readToken() === null) {
    return (
      <main class="alone">
        <h1>お知らせ配信</h1>
        <p role="alert">トークンがありません。発行されたリンクから開き直してください。</p>
      </main>
    )
  }
  const open = (campaign: string) => {
    location.hash = `#/${campaign}`
    refresh()
  }
  return (
    <>
      <header>
        <h1>お知らせ配信</h1>
        <a class="button primary" href="#/">
          新規登録
        </a>
      </header>
      {problem !== '' && <p role="alert">{problem}</p>}
      <div class="columns">
        <CampaignList campaigns={campaigns} current={id} />
        <main>
          {id && action !== 'edit' && <CampaignView key={id} id={id} onChange={refresh} />}
          {(!id || action === 'edit') && (
            <CampaignForm key={id ?? 'new'} id={id || undefined} onSaved={open} />
          )}
        </main>
      </div>
    </>
  )
}
