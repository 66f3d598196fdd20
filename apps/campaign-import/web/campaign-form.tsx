import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Refusal, readContent, saveCampaign, upload } from './api.ts'
import type { CampaignContent } from './campaign.ts'
import { DropZone } from './drop-zone.tsx'

const empty: CampaignContent = {
  subject: '',
  body_html: '',
  body_text: '',
  from_address: '',
  scheduled_at: '',
  s3_key: '',
}

/** Registers a campaign, or changes one: another CSV, another time, another text. */
export function CampaignForm({
  id,
  onSaved,
}: {
  readonly id: string | undefined
  readonly onSaved: (id: string) => void
}) {
  const [content, setContent] = useState<CampaignContent | undefined>(id === undefined ? empty : undefined)
  const [file, setFile] = useState<File>()
  const [part, setPart] = useState<number>()
  const [refusal, setRefusal] = useState<Refusal>()
  useEffect(() => {
    if (id !== undefined) readContent(id).then(setContent, setRefusal)
  }, [id])
  if (!content) return refusal ? <p role="alert">{refusal.message}</p> : <p class="quiet">読み込み中…</p>

  const isBusy = part !== undefined
  const text = (name: keyof CampaignContent) => ({
    id: name,
    'aria-describedby': `${name}-note`,
    value: content[name],
    required: true,
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setContent({ ...content, [name]: value }),
  })
  const issueOf = (name: keyof CampaignContent) => refusal?.issues[name]

  async function save(event: Event) {
    event.preventDefault()
    if (!content || isBusy) return
    setRefusal(undefined)
    setPart(0)
    try {
      const s3_key = file ? await upload(file, setPart) : content.s3_key
      onSaved(await saveCampaign(id, { ...content, s3_key }))
    } catch (error) {
      setRefusal(error as Refusal)
    } finally {
      setPart(undefined)
    }
  }

  return (
    <form onSubmit={save}>
      <h2>{id === undefined ? '新規登録' : '変更'}</h2>
      <DropZone file={file} onFile={setFile} required={content.s3_key === ''} issue={issueOf('s3_key')} />
      <Field
        name="from_address"
        label="差出人"
        hint="例: お店 <news@example.jp>"
        issue={issueOf('from_address')}
      >
        <input {...text('from_address')} autocomplete="email" />
      </Field>
      <Field
        name="subject"
        label="件名"
        hint="{name} や {列名} は宛先ごとに置き換わります"
        issue={issueOf('subject')}
      >
        <input {...text('subject')} maxLength={255} />
      </Field>
      <Field name="body_text" label="本文（テキスト）" issue={issueOf('body_text')}>
        <textarea {...text('body_text')} rows={5} />
      </Field>
      <Field name="body_html" label="本文（HTML）" issue={issueOf('body_html')}>
        <textarea {...text('body_html')} rows={5} />
      </Field>
      <Field name="scheduled_at" label="送信日時" issue={issueOf('scheduled_at')}>
        <input
          id="scheduled_at"
          aria-describedby="scheduled_at-note"
          type="datetime-local"
          required
          value={toLocal(content.scheduled_at)}
          onChange={({ currentTarget: { value } }) =>
            setContent({ ...content, scheduled_at: value === '' ? '' : new Date(value).toISOString() })
          }
        />
      </Field>
      {refusal && <p role="alert">{refusal.message}</p>}
      {part !== undefined && file && (
        <label class="progress">
          アップロード {Math.floor(part * 100)}%
          <progress max={1} value={part} />
        </label>
      )}
      <p class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {id === undefined ? '登録する' : '変更する'}
        </button>
        {id !== undefined && (
          <a class="button" href={`#/${id}`}>
            戻る
          </a>
        )}
      </p>
    </form>
  )
}

function Field({
  name,
  label,
  hint,
  issue,
  children,
}: {
  readonly name: keyof CampaignContent
  readonly label: string
  readonly hint?: string
  readonly issue: string | undefined
  readonly children: ComponentChildren
}) {
  return (
    <div class={issue === undefined ? 'field' : 'field wrong'}>
      <label class="label" for={name}>
        {label}
      </label>
      {children}
      <span id={`${name}-note`} class={issue === undefined ? 'quiet' : 'issue'}>
        {issue ?? hint}
      </span>
    </div>
  )
}

/** As `datetime-local` wants it: in the time of the one who looks, without seconds. */
function toLocal(iso: string): string {
  if (iso === '') return ''
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
