import type { StateMachine } from '@stepwright/asl'
import {
  accessibilityProblems,
  openBrowser,
  screenshotLooks,
  type TestBrowser,
  whyNoBrowser,
} from '@stepwright/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { largeMachine } from './large-machine.ts'
import { bundleElement } from './page.ts'

type Page = Awaited<ReturnType<TestBrowser['newPage']>>

const machine: StateMachine = {
  StartAt: 'Prepare',
  States: {
    Prepare: { Type: 'Pass', Next: 'Each' },
    Each: {
      Type: 'Map',
      ItemProcessor: {
        StartAt: 'Write',
        States: {
          Write: {
            Type: 'Task',
            Resource: 'arn:aws:lambda:us-east-1:000000000000:function:Write',
            Retry: [{ ErrorEquals: ['Busy'] }],
            Catch: [{ ErrorEquals: ['Bad'], Next: 'Mend' }],
            End: true,
          },
          Mend: { Type: 'Pass', End: true },
        },
      },
      Next: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
}

function entered(id: number, previousEventId: number, type: string, name: string) {
  return {
    id,
    previousEventId,
    timestamp: id,
    type: `${type}StateEntered`,
    stateEnteredEventDetails: { name },
  }
}
function exited(id: number, previousEventId: number, type: string, name: string) {
  return {
    id,
    previousEventId,
    timestamp: id,
    type: `${type}StateExited`,
    stateExitedEventDetails: { name },
  }
}
function at(id: number, previousEventId: number, type: string, details: object = {}) {
  return {
    id,
    previousEventId,
    timestamp: id,
    type,
    [`${type[0]?.toLowerCase()}${type.slice(1)}EventDetails`]: details,
  }
}
const history = [
  at(1, 0, 'ExecutionStarted'),
  entered(2, 0, 'Pass', 'Prepare'),
  exited(3, 2, 'Pass', 'Prepare'),
  entered(4, 3, 'Map', 'Each'),
  at(5, 4, 'MapStateStarted', { length: 2 }),
  at(6, 5, 'MapIterationStarted', { name: 'Each', index: 0 }),
  entered(7, 6, 'Task', 'Write'),
  at(8, 7, 'LambdaFunctionScheduled'),
  at(9, 8, 'LambdaFunctionFailed', { error: 'Busy' }),
  at(10, 9, 'LambdaFunctionScheduled'),
  at(11, 10, 'LambdaFunctionSucceeded'),
  exited(12, 11, 'Task', 'Write'),
  at(13, 12, 'MapIterationSucceeded', { name: 'Each', index: 0 }),
  at(14, 5, 'MapIterationStarted', { name: 'Each', index: 1 }),
  entered(15, 14, 'Task', 'Write'),
  at(16, 15, 'LambdaFunctionScheduled'),
]

describe.skipIf(whyNoBrowser() !== undefined)('<asl-graph>', () => {
  let browser: TestBrowser
  let script: string
  beforeAll(async () => {
    ;[browser, script] = await Promise.all([openBrowser(), bundleElement()])
  })
  afterAll(() => browser?.close())

  async function show(definition: StateMachine, events?: readonly object[]): Promise<Page> {
    const page = await browser.newPage()
    await page.setContent(
      '<!doctype html><html lang="en"><title>Graph</title><style>:root{color-scheme:light dark}body{margin:0}asl-graph{height:100vh}</style><main><h1 hidden>Graph</h1><asl-graph label="Import"></asl-graph></main></html>',
    )
    await page.addScriptTag({ content: script, type: 'module' })
    await page.waitForFunction('customElements.get("asl-graph")')
    await page.evaluate(
      `(() => { const graph = document.querySelector('asl-graph'); graph.definition = ${JSON.stringify(definition)}; graph.history = ${JSON.stringify(events ?? null)} ?? undefined; window.seen = []; graph.addEventListener('stateselect', event => seen.push(event.detail.name)) })()`,
    )
    return page
  }

  it('names every state with what became of it', async () => {
    const page = await show(machine, history)
    const names = await page
      .getByRole('group', { name: 'Import' })
      .getByRole('button')
      .evaluateAll(all => all.map(each => each.getAttribute('aria-label')))
    expect(names.toSorted()).toEqual([
      'Done, Succeed, not reached',
      'Each, Map, running, 1 of 2 items done',
      'Mend, Pass, not reached',
      'Prepare, Pass, succeeded',
      'Write, Task, Lambda Write, running, 2 visits, retried 1 time',
    ])
    expect(await accessibilityProblems(page)).toEqual([])
    await screenshotLooks(page, 'graph/element')
  })

  it('is used with the keyboard alone', async () => {
    const page = await show(machine, history)
    await page.getByRole('button', { name: 'Prepare' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('seen')).toEqual(['Each', 'Write'])
    expect(await page.getByRole('button', { name: 'Write' }).getAttribute('aria-pressed')).toBe('true')
    await page.keyboard.press('+')
    const zoomed = Number(
      await page.evaluate(
        'document.querySelector("asl-graph").shadowRoot.querySelector("svg").getAttribute("width")',
      ),
    )
    await page.keyboard.press('0')
    const fitted = Number(
      await page.evaluate(
        'document.querySelector("asl-graph").shadowRoot.querySelector("svg").getAttribute("width")',
      ),
    )
    expect(zoomed).toBeGreaterThan(fitted)
  })

  it('shows one iteration, and what has happened since', async () => {
    const page = await show(machine, history)
    await page.getByLabel('Each iteration').fill('0')
    await expect
      .poll(() => page.getByRole('button', { name: /^Write/ }).getAttribute('aria-label'))
      .toContain('succeeded, retried 1 time')
    await page.evaluate(
      `document.querySelector('asl-graph').appendHistory(${JSON.stringify([at(17, 16, 'LambdaFunctionFailed', { error: 'Bad' }), exited(18, 17, 'Task', 'Write')])})`,
    )
    await page.getByLabel('Each iteration').fill('1')
    await expect
      .poll(() => page.getByRole('button', { name: /^Write/ }).getAttribute('aria-label'))
      .toContain('caught')
  })

  it('saves the picture as SVG and as PNG', async () => {
    const page = await show(machine, history)
    expect(await page.evaluate('document.querySelector("asl-graph").toSvg()')).toMatch(/^<svg xmlns/)
    expect(
      await page.evaluate(
        'document.querySelector("asl-graph").toPng().then(blob => blob.type + (blob.size > 5000))',
      ),
    ).toBe('image/pngtrue')
  })

  it('never takes text for markup', async () => {
    const name = '<img src=x onerror="window.hacked=1">'
    const page = await show({ StartAt: name, States: { [name]: { Type: 'Pass', Comment: name, End: true } } })
    expect(await page.getByRole('button', { name: `${name}, Pass` }).count()).toBe(1)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
  })

  it('has all of thousands of states for the keyboard, and draws those that are seen', async () => {
    const page = await show(largeMachine(2000))
    await page.getByRole('button', { name: 'Zoom in' }).click()
    expect(await page.getByRole('group', { name: 'Import' }).getByRole('button').count()).toBe(2001)
    const written = () => page.locator('asl-graph .face .name').allTextContents()
    expect(await written()).toContain('Step0')
    expect((await written()).length).toBeLessThan(200)
    await page.getByRole('button', { name: 'Step0' }).focus()
    await page.keyboard.press('End')
    await expect.poll(written).toContain('Failed')
    expect(await written()).not.toContain('Step0')
    expect(await page.evaluate('document.querySelector("asl-graph").toSvg()')).toContain('>Step1000<')
    expect(browser.problems).toEqual([])
  })

  it('is dragged', async () => {
    const page = await show(largeMachine(200))
    const scrolled = () =>
      page.evaluate('document.querySelector("asl-graph").shadowRoot.querySelector(".viewport").scrollTop')
    await page.mouse.move(100, 500)
    await page.mouse.down()
    await page.mouse.move(100, 300)
    await page.mouse.move(100, 200)
    await page.mouse.up()
    expect(await scrolled()).toBe(300)
    await page.mouse.move(100, 100)
    expect(await scrolled()).toBe(300)
  })
})
