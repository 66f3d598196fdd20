/** What the design has users told, to the letter. */
export const texts = {
  forbidden: 'この処理にアクセスする権限がありません',
  timeout: '処理時間が制限を超えました',
  failed: '処理に失敗しました',
} as const

export const timeoutError = { code: 'TIMEOUT_ERROR', message: texts.timeout } as const
