import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { breadth, type ChartData } from './chart-data.ts'
import type { Texts } from './texts.ts'

interface ChartProps {
  readonly chart: ChartData
  readonly t: Texts
  /** The action whose tasks are shown, counted through all sub-goals. */
  readonly chosen: number | undefined
  readonly onChoose: (action: number) => void
}

const center = 4

/** Where the sub-goals and actions stand around a centre, in reading order. */
function itemAt(place: number): number {
  return place < center ? place : place - 1
}

/** 9 blocks of 9 cells: the goal in the middle, its sub-goals around it, their actions around each of them. */
export function Chart({ chart, t, chosen, onChoose }: ChartProps): JSX.Element {
  const grid = useRef<HTMLElement>(null)
  // One of 64 cells is reached with Tab, the others from there.
  const entry = chosen ?? chart.actions.findIndex(one => one !== undefined) * breadth

  /** Arrows go from action to action, as they look. */
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 }[event.key]
    const cells = [...(grid.current?.querySelectorAll<HTMLElement>('button[data-place]') ?? [])]
    const at = cells.indexOf(document.activeElement as HTMLElement)
    if (step === undefined || at < 0) return
    event.preventDefault()
    const { row = 0, column = 0 } = positionOf(cells[at])
    const [down, right] = [Math.sign(Math.trunc(step / 3)), step % 3]
    for (let distance = 1; distance < 9; distance += 1) {
      const next = cells.find(cell => {
        const place = positionOf(cell)
        return place.row === row + down * distance && place.column === column + right * distance
      })
      if (next) {
        next.focus()
        return
      }
    }
  }

  return (
    <section class="chart" aria-label={t.chart} ref={grid} onKeyDown={move}>
      {Array.from({ length: 9 }, (_, block) =>
        block === center ? (
          <CenterBlock key={block} chart={chart} t={t} />
        ) : (
          <ActionBlock
            key={block}
            block={block}
            at={itemAt(block)}
            {...{ chart, t, chosen, entry, onChoose }}
          />
        ),
      )}
    </section>
  )
}

function positionOf(cell: HTMLElement | undefined): { row?: number; column?: number } {
  const [block, place] = (cell?.dataset['place'] ?? '').split('.').map(Number)
  if (block === undefined || place === undefined) return {}
  return {
    row: Math.trunc(block / 3) * 3 + Math.trunc(place / 3),
    column: (block % 3) * 3 + (place % 3),
  }
}

function CenterBlock({ chart: { goal, subgoals }, t }: Pick<ChartProps, 'chart' | 't'>): JSX.Element {
  return (
    <ul class="block center-block" aria-label={t.center}>
      {Array.from({ length: 9 }, (_, place) => {
        const text = place === center ? goal : subgoals[itemAt(place)]
        const kind = place === center ? 'goal' : 'subgoal'
        return (
          <li key={place} class={`cell ${kind} ${text ? '' : 'empty'}`}>
            {text || <Waiting t={t} />}
          </li>
        )
      })}
    </ul>
  )
}

function ActionBlock({
  block,
  at,
  chart: { subgoals, actions, tasks },
  t,
  chosen,
  entry,
  onChoose,
}: ChartProps & { readonly block: number; readonly at: number; readonly entry: number }): JSX.Element {
  const subgoal = subgoals[at]
  return (
    <ul class="block" aria-label={subgoal ?? `${t.type.SUBGOAL_GENERATION} ${at + 1}`}>
      {Array.from({ length: 9 }, (_, place) => {
        if (place === center) {
          return (
            <li key={place} class={`cell subgoal ${subgoal ? '' : 'empty'}`}>
              {subgoal ?? <Waiting t={t} />}
            </li>
          )
        }
        const action = actions[at]?.[itemAt(place)]
        const number = at * breadth + itemAt(place)
        if (action === undefined) {
          return (
            <li key={place} class="cell empty">
              <Waiting t={t} />
            </li>
          )
        }
        return (
          <li key={place} class="cell action">
            <button
              type="button"
              data-place={`${block}.${place}`}
              aria-pressed={number === chosen}
              tabIndex={number === entry ? 0 : -1}
              class={tasks[number] ? 'with-tasks' : ''}
              onClick={() => onChoose(number)}
            >
              {action}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function Waiting({ t }: Pick<ChartProps, 't'>): JSX.Element {
  return <span class="hidden">{t.waiting}</span>
}
