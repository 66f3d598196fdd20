import type { ResponseFacts } from '@stepwright/task/http'

/** GET /unsubscribe asks first. Posts to where it was got from, token and all. */
export const askPage: ResponseFacts = toPage(
  '配信停止',
  '<p>今後のお知らせの配信を停止しますか？</p><form method="post"><button>配信を停止する</button></form>',
)

export const donePage: ResponseFacts = toPage('配信停止', '<p>配信を停止しました。</p>')

function toPage(title: string, content: string): ResponseFacts {
  const style =
    'body{font:1.1rem/1.8 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}button{font:inherit;padding:.5rem 1.5rem}'
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
      'referrer-policy': 'no-referrer',
    },
    body: `<!doctype html><html lang="ja"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style><h1>${title}</h1>${content}</html>`,
  }
}
