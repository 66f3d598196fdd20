import type { GenerationType, Status } from './api.ts'

export type Language = 'ja' | 'en'

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
  failed: (message: string) => `失敗しました：${message}`,
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
  failed: message => `It failed: ${message}`,
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
