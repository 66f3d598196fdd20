import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '@stepwright/app'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleFunctions, planDeployment, toCloudFormation } from '../index.ts'

const folder = mkdtempSync(join(tmpdir(), 'stepwright-site-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(() => {
  mkdirSync(join(folder, 'web'))
  writeFileSync(join(folder, 'web/index.html'), '<!doctype html><title>Grüße</title>')
  writeFileSync(join(folder, 'web/main.ts'), 'import "./main.css"\ndocument.title = "hello"\n')
  writeFileSync(join(folder, 'web/main.css'), 'body { margin: 0 }\n')
})

const app: App = {
  name: 'shop',
  root: pathToFileURL(`${folder}/`),
  resources: { buckets: { orders: { corsOrigins: ['*'] } } },
  functions: {},
  site: { directory: 'web' },
}

describe('a site, deployed', () => {
  it('is a function behind the API, open to everybody, which may do nothing', () => {
    const { Resources, Outputs } = toCloudFormation(planDeployment(app, { stage: 'dev' }), () => ({}))
    const routes = Object.values(Resources).map(({ Properties }) => Properties)
    expect(routes).toContainEqual(
      expect.objectContaining({ RouteKey: 'GET /{path+}', AuthorizationType: 'NONE' }),
    )
    expect(JSON.stringify(Resources['SiteFunctionRole'])).not.toContain('s3:')
    expect(Outputs).toHaveProperty('ApiUrl')
    expect(JSON.stringify(Resources['SiteFunction']?.Properties['Environment'])).toContain(
      `https://shop-orders-dev-\${AWS::AccountId}-\${AWS::Region}.s3.\${AWS::Region}`,
    )
  })

  it('sends its files under a strict policy, and not again to who has them', async () => {
    const deployed = planDeployment(app).app
    const { Site } = bundleFunctions(deployed, join(folder, 'out'))
    const { handler } = (await import(pathToFileURL(join(Site?.directory ?? '', 'index.mjs')).href)) as {
      handler: (event: object) => Promise<{
        statusCode: number
        body: string
        headers: Record<string, string>
      }>
    }
    const page = await handler({ rawPath: '/' })
    expect(page).toMatchObject({
      statusCode: 200,
      body: '<!doctype html><title>Grüße</title>',
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'"),
        'strict-transport-security': 'max-age=31536000',
      },
    })
    // A REST API writes the same otherwise.
    expect(await handler({ path: '/main.js', headers: {} })).toMatchObject({ statusCode: 200 })
    expect((await handler({ rawPath: '/main.css' })).body).toContain('margin:0')
    const again = { rawPath: '/', headers: { 'if-none-match': page.headers['etag'] } }
    expect(await handler(again)).toMatchObject({ statusCode: 304, body: '' })
    for (const rawPath of ['/main.ts', '/../main.js', '/constructor', '/toString'])
      expect(await handler({ rawPath })).toMatchObject({ statusCode: 404 })
  })
})
