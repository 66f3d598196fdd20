import type { GenerationType, Status } from './api.ts'

export type Language = 'ja' | 'en'

/** Every error that the API answers with, or that a process fails with. */
const jaErrors: Readonly<Record<string, string>> = {
  OFFLINE: '接続できませんでした。もう一度お試しください。',
  ContextOverflowError: '入力が長すぎます。短くしてもう一度お試しください。',
  DataValidationError: '入力内容を確認してください。',
  DatabaseConnectionError: '一時的な障害が発生しました。再試行してください。',
  FILTERED: 'この内容は生成できません。',
  ForbiddenError: 'この処理にアクセスする権限がありません。',
  GenerationRefusedError: 'この内容は生成できません。',
  IdempotencyConflictError: '同じ操作が別の内容で送信されました。もう一度お試しください。',
  IllegalTransitionError: 'この処理はすでに終了しています。',
  InvalidOutputError: '生成結果が正しくありませんでした。再試行してください。',
  NetworkError: '通信に失敗しました。再試行してください。',
  OutputTruncatedError: '生成結果が途中で切れました。再試行してください。',
  REFUSED: 'この内容は生成できません。',
  RetryRefusedError: 'この処理は再試行できません。',
  ServiceUnavailableException: '混み合っています。しばらくしてから再試行してください。',
  ThrottlingException: '混み合っています。しばらくしてから再試行してください。',
  TIMEOUT_ERROR: '処理時間が制限を超えました。再試行してください。',
  TooManyJobsError: '実行中の処理が多すぎます。終わるのを待つか、キャンセルしてください。',
  UnexpectedError: '予期しない問題が発生しました。再試行してください。',
  ValidationError: '入力内容を確認してください。',
}
const enErrors: Readonly<Record<string, string>> = {
  OFFLINE: 'There was no connection. Try again.',
  ContextOverflowError: 'The text is too long',
  DataValidationError: 'Check what you entered',
  DatabaseConnectionError: 'A temporary failure, try again',
  FILTERED: 'This cannot be generated',
  ForbiddenError: 'You have no access to this process',
  GenerationRefusedError: 'This cannot be generated',
  IdempotencyConflictError: 'The same action was sent with other content',
  IllegalTransitionError: 'This process has ended already',
  InvalidOutputError: 'The result was not usable, try again',
  NetworkError: 'The connection failed, try again',
  OutputTruncatedError: 'The result was cut off, try again',
  REFUSED: 'This cannot be generated',
  RetryRefusedError: 'This process cannot be tried again',
  ServiceUnavailableException: 'Too busy, try again later',
  ThrottlingException: 'Too busy, try again later',
  TIMEOUT_ERROR: 'It took too long, try again',
  TooManyJobsError: 'Too many processes are running',
  UnexpectedError: 'Something unexpected went wrong, try again',
  ValidationError: 'Check what you entered',
}

const ja = {
  title: '目標達成チャート',
  goal: '達成したい目標',
  goalHint: '例：英語で会議ができるようになる',
  start: '生成を開始',
  cancel: 'キャンセル',
  retry: '再試行',
  makeTasks: 'タスクを生成',
  language: '言語',
  token: 'アクセストークン',
  tokenHint: 'サインインしていません。トークンを入力してください。',
  signIn: 'サインイン',
  progress: '進捗',
  chart: '9×9のチャート',
  center: '目標とサブ目標',
  waiting: '未生成',
  tasksOf: (action: string) => `「${action}」のタスク`,
  noTasks: 'タスクはまだありません。',
  chooseAction: '行動を選ぶとタスクが表示されます。',
  history: '履歴',
  noHistory: 'まだ処理はありません。',
  more: 'さらに表示',
  show: '表示',
  proceed: '続ける',
  offline: 'オフラインです。接続が戻ると自動的に更新されます。',
  expired: 'サインインの有効期限が切れました。もう一度トークンを入力してください。',
  empty: '目標を入力すると、8個のサブ目標と64個の行動が数分で表示されます。',
  error: (code: string, _message: string): string => jaErrors[code] ?? `失敗しました（${code}）。`,
  status: {
    PENDING: '待機中',
    PROCESSING: '処理中',
    COMPLETED: '完了',
    FAILED: '失敗',
    TIMEOUT: 'タイムアウト',
    CANCELLED: 'キャンセル済み',
  } satisfies Record<Status, string>,
  type: {
    SUBGOAL_GENERATION: 'サブ目標',
    ACTION_GENERATION: '行動',
    TASK_GENERATION: 'タスク',
  } satisfies Record<GenerationType, string>,
}

export type Texts = typeof ja

const en: Texts = {
  title: 'Goal chart',
  goal: 'Your goal',
  goalHint: 'For example: lead meetings in English',
  start: 'Start',
  cancel: 'Cancel',
  retry: 'Try again',
  makeTasks: 'Generate tasks',
  language: 'Language',
  token: 'Access token',
  tokenHint: 'You are not signed in. Enter a token.',
  signIn: 'Sign in',
  progress: 'Progress',
  chart: 'Chart of 9 by 9',
  center: 'Goal and sub-goals',
  waiting: 'not generated yet',
  tasksOf: action => `Tasks for “${action}”`,
  noTasks: 'There are no tasks yet.',
  chooseAction: 'Choose an action to see its tasks.',
  history: 'History',
  noHistory: 'There is no process yet.',
  more: 'Show more',
  show: 'Show',
  proceed: 'Continue',
  offline: 'You are offline. The page goes on when the connection is back.',
  expired: 'Your sign-in has expired. Enter a token again.',
  empty: 'Enter a goal: 8 sub-goals and 64 actions appear within minutes.',
  error: (code, message) =>
    [enErrors[code] ?? `It failed (${code})`, message].filter(text => text !== '').join(': '),
  status: {
    PENDING: 'waiting',
    PROCESSING: 'in progress',
    COMPLETED: 'completed',
    FAILED: 'failed',
    TIMEOUT: 'timed out',
    CANCELLED: 'cancelled',
  },
  type: { SUBGOAL_GENERATION: 'Sub-goals', ACTION_GENERATION: 'Actions', TASK_GENERATION: 'Tasks' },
}

export const texts: Readonly<Record<Language, Texts>> = { ja, en }

const key = 'language'

export function preferredLanguage(): Language {
  const kept = localStorage.getItem(key)
  if (kept === 'ja' || kept === 'en') return kept
  return navigator.language.startsWith('ja') ? 'ja' : 'en'
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(key, language)
  document.documentElement.lang = language
  document.title = texts[language].title
}
