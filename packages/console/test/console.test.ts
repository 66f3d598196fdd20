import {
  CreateStateMachineCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import type { StateMachine } from '@stepwright/asl'
import { accessibilityProblems, whyNoBrowser } from '@stepwright/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dropObject, type OpenConsole, openConsole, openPage, type Page, statusOf } from './open-console.ts'

const timeout = 90_000
let world: OpenConsole
let client: SFNClient

function userLog(rows: number, isBad: (row: number) => boolean = () => false): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => `U${row},${isBad(row) ? 'many' : row % 7},${row % 3}`,
  )
  return `user_id,login_count,post_count\n${lines.join('\n')}\n`
}

function open(place: string): Promise<Page> {
  return openPage(world, place)
}

function drop(page: Page, name: string, content: string): Promise<void> {
  return dropObject(page, world, { key: `data/${name}`, content })
}

async function openLatest(page: Page, name: string): Promise<void> {
  await page.goto(`${world.console.endpoint}/#/executions?workflow=process`)
  await page
    .getByRole('link', { name: new RegExp(`^${name}-`) })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: new RegExp(`^${name}-`) }).waitFor()
}

async function start(definition: StateMachine, input: unknown): Promise<string> {
  const name = `extra-${Math.random().toString(36).slice(2)}`
  const roleArn = 'arn:aws:iam::000000000000:role/local'
  const { stateMachineArn } = await client.send(
    new CreateStateMachineCommand({ name, definition: JSON.stringify(definition), roleArn }),
  )
  const { executionArn = '' } = await client.send(
    new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }),
  )
  return executionArn
}

describe.skipIf(whyNoBrowser() !== undefined)('the console of csv-processor', { timeout }, () => {
  beforeAll(async () => {
    world = await openConsole('csv-processor')
    client = new SFNClient(world.running.services.stepFunctions.clientConfig)
  }, timeout)
  afterAll(async () => {
    client?.destroy()
    await world?.[Symbol.asyncDispose]()
  }, timeout)

  it('takes a file that is dropped and shows it to the end, with its trail verified', async () => {
    const page = await open('')
    await drop(
      page,
      'good.csv',
      userLog(500, row => row % 200 === 1),
    )
    await page.getByRole('button', { name: /^data\/good\.csv/ }).click()
    await page.getByRole('cell', { name: 'U199', exact: true }).waitFor()
    await openLatest(page, 'good')
    await statusOf(page, 'succeeded').waitFor()
    await page.getByText('2 succeeded · 0 failed').waitFor()
    const step = page.getByRole('button', { name: /^ValidateCSVFile, Task, Lambda .*, succeeded/ })
    await step.click()
    const panel = page.getByRole('complementary', { name: 'State ValidateCSVFile' })
    await panel.getByText('After ResultPath').waitFor()
    await panel.getByRole('tab', { name: 'Logs' }).click()
    await panel
      .getByText(/function_request_id|CsvProcessor/)
      .first()
      .waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('tab', { name: 'Audit trail' }).click()
    await page.getByRole('button', { name: 'Verify the trail' }).click()
    await page.getByText(/^Whole: 500 entries/).waitFor()
    for (const tab of ['States', 'Waterfall', 'Events']) {
      await page.getByRole('tab', { name: tab }).first().click()
      await page
        .getByRole('button', { name: /ValidateCSVFile|TaskStateEntered/ })
        .first()
        .waitFor()
    }
  })

  it('names error, reason and place of a file that was refused', async () => {
    const page = await open('')
    await drop(page, 'refused.csv', 'id,logins\nU1,3\n')
    await openLatest(page, 'refused')
    await statusOf(page, 'failed').waitFor()
    await page.getByRole('alert').getByText('ValidationError', { exact: true }).first().waitFor()
    const said = await page.getByRole('alert').textContent()
    expect(said).toContain('HEADER_MISMATCH')
    expect(said).toMatch(/"rowNumber": 0.*"column": "id"/s)
  })

  it('shows the end of an execution that ended before the page listened', async () => {
    const Wait = { Type: 'Wait', Seconds: 600, End: true } as const
    const executionArn = await start({ StartAt: 'Wait', States: { Wait } }, {})
    const hasEnded = Promise.withResolvers<void>()
    const page = await open('')
    await page.route('**/api/live*', async route => {
      await hasEnded.promise
      await route.continue()
    })
    await page.goto(`${world.console.endpoint}/#/execution?arn=${encodeURIComponent(executionArn)}`)
    await statusOf(page, 'running').waitFor()
    await client.send(new StopExecutionCommand({ executionArn }))
    hasEnded.resolve()
    await statusOf(page, 'aborted').waitFor()
  })

  it('shows the end of an execution whose description lags behind its history', async () => {
    const Wait = { Type: 'Wait', Seconds: 600, End: true } as const
    const executionArn = await start({ StartAt: 'Wait', States: { Wait } }, {})
    const page = await open('')
    await page.goto(`${world.console.endpoint}/#/execution?arn=${encodeURIComponent(executionArn)}`)
    await statusOf(page, 'running').waitFor()
    await page.route(
      '**/api/execution?*',
      async route => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), status: 'RUNNING' } })
      },
      { times: 1 },
    )
    await client.send(new StopExecutionCommand({ executionArn }))
    await statusOf(page, 'aborted').waitFor()
  })

  it('counts executions with links to them, names each page, and lets the duration of a running one tick', async () => {
    const page = await open('')
    await page.goto(`${world.console.endpoint}/#/workflows`)
    await expect.poll(() => page.title()).toBe('Workflows · csv-processor')
    const failed = page
      .getByRole('row', { name: /^process / })
      .getByRole('link', { name: /^\d+$/ })
      .last()
    const number = await failed.textContent()
    await failed.click()
    await expect.poll(() => page.title()).toBe('process · Executions · csv-processor')
    await page.locator('.page-head .muted', { hasText: new RegExp(`^${number}$`) }).waitFor()
    await page.getByText(/^Started \((UTC|GMT|[A-Z]{2,5}).*\)$/).waitFor()
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('FAILED,TIMED_OUT')
    const Wait = { Type: 'Wait', Seconds: 600, End: true } as const
    const executionArn = await start({ StartAt: 'Wait', States: { Wait } }, {})
    await page.goto(`${world.console.endpoint}/#/execution?arn=${encodeURIComponent(executionArn)}`)
    await page.getByText('1 transition', { exact: true }).waitFor()
    const took = page.locator('.facts div', { hasText: 'Duration' }).locator('dd')
    const before = await took.textContent()
    await expect.poll(() => took.textContent(), { timeout: 5000 }).not.toBe(before)
    await client.send(new StopExecutionCommand({ executionArn }))
  })

  it('stops while the database is away, and redrives when it is back', async () => {
    const page = await open('')
    await world.running.services.postgres.kill()
    await drop(page, 'patient.csv', userLog(20))
    await openLatest(page, 'patient')
    await page.getByRole('button', { name: /^ProcessUserDataParallel, .*running/ }).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop it' }).click()
    await statusOf(page, 'aborted').waitFor()
    await page.getByRole('button', { name: /^ProcessUserDataParallel, .*cancelled/ }).waitFor()
    await world.running.services.postgres.restart()
    await page.getByRole('button', { name: 'Redrive' }).click()
    await statusOf(page, 'succeeded').waitFor()
    await page.getByText('Redriven').waitFor()
  })

  it('forks from a state with other input, and compares the two', async () => {
    const page = await open('')
    await openLatest(page, 'refused')
    await page.getByRole('button', { name: /^InitializeExecution/ }).click()
    await page.getByRole('button', { name: 'Fork from here' }).click()
    const input = page.getByRole('dialog').getByRole('textbox')
    await expect.poll(() => input.inputValue()).toContain('data/refused.csv')
    await input.fill((await input.inputValue()).replace('data/refused.csv', 'data/good.csv'))
    await page.getByRole('button', { name: 'Run the fork' }).click()
    await page.getByText('Fork of').waitFor()
    await page.getByRole('link', { name: 'Compare' }).last().click()
    const second = page.getByRole('combobox', { name: 'Second execution' })
    const other = await second.getByRole('option', { name: /good-/ }).first().getAttribute('value')
    await second.selectOption(other)
    await page.getByText(/^They differ at step|^Both took the same way/).waitFor()
    await page.getByText(/^First difference|The payloads/).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('finds a value in the payloads of all executions', async () => {
    const page = await open('#/find')
    await page.getByRole('searchbox', { name: 'Value' }).fill('data/patient.csv')
    await page.getByRole('button', { name: 'Find' }).click()
    await page
      .getByRole('link', { name: /^patient-/ })
      .first()
      .waitFor()
    await expect
      .poll(() => page.getByRole('status').textContent())
      .toMatch(/^(\d+) of \1 executions searched$/)
    expect(await page.getByRole('link', { name: /^good-/ }).count()).toBe(0)
  })

  it('refuses an input that the schema refuses, and starts what it takes', async () => {
    const page = await open('#/executions?workflow=process')
    await page.getByRole('button', { name: 'Start execution' }).click()
    const dialog = page.getByRole('dialog')
    const example = await dialog.getByRole('textbox', { name: /^Input/ }).inputValue()
    expect(JSON.parse(example)).toHaveProperty('detail')
    await dialog.getByRole('textbox', { name: /^Input/ }).fill('{"detail":1}')
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await dialog.getByText(/^The workflow does not take this input/).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('textbox', { name: /^Input/ }).fill(example)
    await dialog.getByRole('textbox', { name: 'Name' }).fill('by-hand')
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'by-hand' }).waitFor()
    await statusOf(page, 'failed').waitFor() // there is no such object
    await page.goto(`${world.console.endpoint}/#/executions?workflow=process&status=FAILED&search=hand`)
    await expect.poll(() => page.locator('.executions li').count()).toBe(1)
  })

  it('shows children of a Distributed Map that failed, and which were put up with', async () => {
    const arn = await start(
      {
        StartAt: 'Each',
        States: {
          Each: {
            Type: 'Map',
            ToleratedFailureCount: 3,
            ItemProcessor: {
              ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
              StartAt: 'Odd',
              States: {
                Odd: {
                  Type: 'Choice',
                  Choices: [{ Variable: '$.isOdd', BooleanEquals: true, Next: 'Refuse' }],
                  Default: 'Fine',
                },
                Refuse: { Type: 'Fail', Error: 'Odd', Cause: 'this one is odd' },
                Fine: { Type: 'Succeed' },
              },
            },
            End: true,
          },
        },
      },
      Array.from({ length: 12 }, (_, index) => ({ isOdd: index < 2 })),
    )
    const page = await open(`#/execution?arn=${arn}`)
    await page.getByText('10 succeeded · 2 failed').waitFor()
    await page.getByText('up to 3 failures tolerated').waitFor()
    await page
      .getByRole('button', { name: 'Each, Map, Distributed Map, succeeded, 12 of 12 items done, 2 failed' })
      .waitFor()
    await page.getByRole('button', { name: 'failed children' }).click()
    const children = page.getByRole('region', { name: 'Children' }).getByRole('link')
    await expect.poll(() => children.count()).toBe(2)
    await children.first().click()
    await page.getByRole('alert').getByText('this one is odd').waitFor()
    await page.getByRole('button', { name: /^Refuse, Fail, Odd, failed/ }).waitFor()
  })

  it('opens a history of ten thousand events, and finds one of them', async () => {
    const arn = await start(
      {
        StartAt: 'Each',
        States: {
          Each: {
            Type: 'Map',
            ItemProcessor: { StartAt: 'One', States: { One: { Type: 'Pass', End: true } } },
            End: true,
          },
        },
      },
      Array.from({ length: 2500 }, (_, index) => ({ index })),
    )
    const page = await open(`#/execution?arn=${arn}&tab=events`)
    await statusOf(page, 'succeeded').waitFor()
    await page.getByText('10,006 events').waitFor()
    expect(await page.getByRole('listitem').count()).toBeLessThan(100)
    await page.getByRole('searchbox', { name: 'Events contain' }).fill('MapStateExited')
    await page.getByRole('button', { name: /MapStateExited/ }).click()
    await page.getByText('Event 10005').waitFor()
  })

  it('shows nothing of a payload as markup, wherever it appears', async () => {
    const hostile = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
    const arn = await start(
      {
        StartAt: hostile,
        States: {
          [hostile]: { Type: 'Pass', Comment: hostile, Assign: { v: hostile }, Next: 'Out' },
          Out: { Type: 'Fail', Error: hostile, Cause: hostile },
        },
      },
      { [hostile]: hostile },
    )
    const { mailbox, s3 } = world.running.services
    await fetch(`${mailbox.endpoint}/v2/email/outbound-emails`, {
      method: 'POST',
      body: JSON.stringify({
        FromEmailAddress: 'ann@example.com',
        Destination: { ToAddresses: ['bob@example.com'] },
        Content: {
          Simple: { Subject: { Data: hostile }, Body: { Html: { Data: `<b>hello</b>${hostile}` } } },
        },
      }),
    })
    expect(s3.endpoint).toContain('127.0.0.1')
    const page = await open(`#/execution?arn=${arn}`)
    await page.getByRole('button', { name: `${hostile}, Pass` }).click()
    await page.getByRole('complementary').getByText('onerror').first().waitFor()
    for (const tab of ['States', 'Waterfall', 'Events', 'Input and output', 'Definition']) {
      await page.getByRole('tab', { name: tab }).first().click()
      await page.getByText('onerror').first().waitFor()
    }
    await drop(page, '<b>.csv', `${hostile},b\n${hostile},2\n`)
    await page.getByRole('button', { name: /^data\/<b>\.csv/ }).click()
    await page.getByRole('cell', { name: hostile }).first().waitFor()
    await page.goto(`${world.console.endpoint}/#/mail`)
    await page.getByRole('button', { name: /bob@example\.com/ }).click()
    await page.frameLocator('iframe').getByText('hello').waitFor()
    for (const frame of page.frames())
      expect(await frame.evaluate('window.hacked').catch(() => undefined)).toBeUndefined()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
  })

  it('gives nothing to a wrong token, another origin or a foreign Host', async () => {
    const { endpoint, url } = world.console
    const authorization = `Bearer ${new URL(url).searchParams.get('token')}`
    const ask = (path: string, headers: Record<string, string>) => fetch(`${endpoint}${path}`, { headers })
    expect((await ask('/api/app', { authorization })).status).toBe(200)
    expect((await ask('/api/app', {})).status).toBe(401)
    expect((await ask('/api/app', { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await ask('/api/live', {})).status).toBe(401)
    const mail = world.running.services.mailbox.messages[0]?.messageId
    expect((await ask(`/mail/${mail}?ticket=wrong`, {})).status).toBe(401)
    const other = new URL(world.running.services.s3.endpoint).origin
    expect((await ask('/api/app', { authorization, origin: other })).status).toBe(403)
    expect((await ask('/', { origin: other })).status).toBe(403)
    expect((await ask('/main.js', { 'sec-fetch-site': 'same-site' })).status).toBe(403)
    const { status: foreign } = await askWithHost(endpoint, 'evil.example')
    expect(foreign).toBe(403)
    const { headers } = await ask('/', {})
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
  })

  it('runs without a complaint of the browser', () => {
    // What the policy refused, and the input that the schema refused, are meant to be.
    expect(
      world.browser.problems.filter(problem => !/Content Security Policy|sandbox|400/.test(problem)),
    ).toEqual([])
  })
})

async function askWithHost(endpoint: string, host: string): Promise<{ status: number | undefined }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    request(`${endpoint}/`, { headers: { host } }, response => {
      response.resume()
      resolve({ status: response.statusCode })
    })
      .on('error', reject)
      .end()
  })
}
