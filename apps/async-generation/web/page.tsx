import { StreamRefusedError } from '@stepwright/progress/client'
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Api, ApiError, type ListedProcess, type Process } from './api.ts'
import { Chart } from './chart.tsx'
import { type ChartData, hasActions, hasTasks } from './chart-data.ts'
import { History } from './history.tsx'
import { keepLanguage, type Language, preferredLanguage, type Texts, texts } from './texts.ts'
import { forgetToken, keepToken } from './token.ts'
import { isOpen, useGeneration } from './use-generation.ts'

interface PageProps {
  readonly apiOf: (token: string) => Api
  readonly firstToken: string | undefined
}

export function Page({ apiOf, firstToken }: PageProps): JSX.Element {
  const [language, setLanguage] = useState<Language>(preferredLanguage)
  const [token, setToken] = useState(firstToken)
  const [expired, setExpired] = useState(false)
  const api = useMemo(() => token && apiOf(token), [token])
  const t = texts[language]
  useEffect(() => keepLanguage(language), [language])

  return (
    <>
      <header>
        <h1>{t.title}</h1>
        <label>
          {t.language}
          <select value={language} onChange={event => setLanguage(event.currentTarget.value as Language)}>
            <option value="ja" lang="ja">
              日本語
            </option>
            <option value="en" lang="en">
              English
            </option>
          </select>
        </label>
      </header>
      <main>
        <Offline t={t} />
        {api ? (
          <Generations
            api={api}
            {...{ t, language }}
            onSignedOut={() => {
              forgetToken()
              setExpired(true)
              setToken(undefined)
            }}
          />
        ) : (
          <SignIn
            hint={expired ? t.expired : t.tokenHint}
            t={t}
            onToken={given => {
              keepToken(given)
              setToken(given)
            }}
          />
        )}
      </main>
    </>
  )
}

/** Says that the network is away, as long as it is. */
function Offline({ t }: { readonly t: Texts }): JSX.Element {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const update = (): void => void setOnline(navigator.onLine)
    for (const name of ['online', 'offline']) addEventListener(name, update)
    return () => {
      for (const name of ['online', 'offline']) removeEventListener(name, update)
    }
  }, [])
  return (
    <p class={isOnline ? 'hidden' : 'problem'} role="status">
      {isOnline ? '' : t.offline}
    </p>
  )
}

function SignIn({
  t,
  hint,
  onToken,
}: {
  readonly t: Texts
  readonly hint: string
  readonly onToken: (token: string) => void
}): JSX.Element {
  return (
    <form
      class="goal-form"
      onSubmit={event => {
        event.preventDefault()
        onToken(String(new FormData(event.currentTarget).get('token')).trim())
      }}
    >
      <p>{hint}</p>
      <label for="token">{t.token}</label>
      <div class="row">
        <input id="token" name="token" required autocomplete="off" spellcheck={false} />
        <button type="submit" class="primary">
          {t.signIn}
        </button>
      </div>
    </form>
  )
}

interface GenerationsProps {
  readonly api: Api
  readonly t: Texts
  readonly language: Language
  readonly onSignedOut: () => void
}

/** How often the history is read again while something in it is open. */
const refreshMs = 3000

function Generations({ api, t, language, onSignedOut }: GenerationsProps): JSX.Element {
  const [processes, setProcesses] = useState<readonly ListedProcess[]>([])
  const [cursor, setCursor] = useState<string>()
  const [chosen, setChosen] = useState<number>()
  const [trouble, setTrouble] = useState<unknown>()
  const loadHistory = async (after?: string): Promise<void> => {
    const page = await api.list(after).catch(setTrouble)
    if (page === undefined) return
    setTrouble(undefined)
    setProcesses(known => (after === undefined ? page.jobs : [...known, ...page.jobs]))
    setCursor(page.cursor)
  }
  useEffect(() => void loadHistory(), [api])
  const open = processes.find(isOpen)
  const generation = useGeneration(api, language, open, loadHistory)
  const { chart, process } = generation
  const problem = generation.problem ?? trouble
  const isRunning = process !== undefined && isOpen(process)
  useEffect(() => {
    if (open === undefined) return undefined
    const timer = setInterval(() => void (document.hidden || loadHistory()), refreshMs)
    return () => clearInterval(timer)
  }, [api, open !== undefined])
  useEffect(() => {
    const reload = (): void => void loadHistory()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [api])
  useEffect(() => {
    if (statusOf(problem) === 401) onSignedOut()
  }, [problem])
  const canMakeTasks = !isRunning && hasActions(chart) && !hasTasks(chart)

  return (
    <>
      <form
        class="goal-form"
        onSubmit={event => {
          event.preventDefault()
          setChosen(undefined)
          void generation.start(String(new FormData(event.currentTarget).get('goal')).trim())
        }}
      >
        <label for="goal">{t.goal}</label>
        <div class="row">
          <input id="goal" name="goal" required maxLength={200} placeholder={t.goalHint} />
          <button type="submit" class="primary" disabled={isRunning}>
            {t.start}
          </button>
          {isRunning && (
            <button type="button" onClick={() => void generation.cancel(process.processId)}>
              {t.cancel}
            </button>
          )}
          {canMakeTasks && (
            <button type="button" onClick={() => void generation.startTasks()}>
              {t.makeTasks}
            </button>
          )}
        </div>
      </form>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {describeProblem(t, problem)}
        </p>
      )}
      {process === undefined && <p>{t.empty}</p>}
      {process && <Progress process={process} t={t} onRetry={generation.retry} />}
      <Chart chart={chart} t={t} chosen={chosen} onChoose={setChosen} />
      <Tasks action={chosen} chart={chart} t={t} />
      <History
        processes={processes}
        hasMore={cursor !== undefined}
        {...{ t, language }}
        onMore={() => void loadHistory(cursor)}
        onShow={shown => {
          setChosen(undefined)
          void generation.show(shown.processId)
        }}
        onRetry={failed => void generation.retry(failed.processId)}
        onCancel={running => void generation.cancel(running.processId)}
        onContinue={done => void generation.proceed(done.processId)}
      />
    </>
  )
}

function statusOf(problem: unknown): number | undefined {
  if (problem instanceof ApiError || problem instanceof StreamRefusedError) return problem.status
  return undefined
}

/** What the API says has a name; anything else is the network. */
function describeProblem(t: Texts, problem: unknown): string {
  if (problem instanceof ApiError) return t.error(problem.code, problem.message)
  return statusOf(problem) === undefined ? t.error('OFFLINE', '') : t.error(`HTTP ${statusOf(problem)}`, '')
}

interface ProgressProps {
  readonly process: Process
  readonly t: Texts
  readonly onRetry: (processId: string) => Promise<void>
}

function Progress({ process, t, onRetry }: ProgressProps): JSX.Element {
  const { status, progress, type, error, processId } = process
  const failed = status === 'FAILED' || status === 'TIMEOUT' || status === 'CANCELLED'
  const words = `${t.type[type]}: ${t.status[status]}`
  return (
    <section class="progress" aria-label={t.progress}>
      <div class="row">
        <label for="bar">{words}</label>
        <span aria-hidden="true">{progress}%</span>
      </div>
      <progress id="bar" max={100} value={progress}>
        {progress}%
      </progress>
      {/* Each change of the status is said, and the progress by quarters: every percent would be too much. */}
      <p class="hidden" role="status">
        {words} {Math.floor(progress / 25) * 25}%
      </p>
      {failed && (
        <p class="problem" role="alert">
          {error ? t.error(error.code, error.message) : t.status[status]}{' '}
          <button type="button" onClick={() => void onRetry(processId)}>
            {t.retry}
          </button>
        </p>
      )}
    </section>
  )
}

interface TasksProps {
  readonly action: number | undefined
  readonly chart: ChartData
  readonly t: Texts
}

function Tasks({ action, chart: { actions, tasks }, t }: TasksProps): JSX.Element {
  const text = action === undefined ? undefined : actions.flat()[action]
  const list = action === undefined ? undefined : tasks[action]
  return (
    <section class="tasks" aria-live="polite">
      {text === undefined ? (
        <p>{t.chooseAction}</p>
      ) : (
        <>
          <h2>{t.tasksOf(text)}</h2>
          {list ? (
            <ol>
              {list.map(task => (
                <li key={task}>{task}</li>
              ))}
            </ol>
          ) : (
            <p>{t.noTasks}</p>
          )}
        </>
      )}
    </section>
  )
}
