/** The colours of a picture, by what they are for. */
const palettes = {
  light: {
    ink: '#1f2328',
    muted: '#59636e',
    line: '#9aa4af',
    edge: '#6e7781',
    surface: '#fff',
    inset: '#f6f8fa',
    border: '#d1d9e0',
    ok: '#1a7f37',
    'ok-soft': '#e6f6ea',
    bad: '#cf222e',
    'bad-soft': '#ffebe9',
    warn: '#8a5a00',
    'warn-soft': '#fff5d6',
    live: '#0969da',
    'live-soft': '#e3f1ff',
    off: '#6e7781',
  },
  dark: {
    ink: '#e6edf3',
    muted: '#9198a1',
    line: '#5c6672',
    edge: '#8b949e',
    surface: '#161b22',
    inset: '#0d1117',
    border: '#3d444d',
    ok: '#3fb950',
    'ok-soft': '#12261a',
    bad: '#f85149',
    'bad-soft': '#2d1517',
    warn: '#d29922',
    'warn-soft': '#2a2111',
    live: '#58a6ff',
    'live-soft': '#10233d',
    off: '#8b949e',
  },
} as const

type Colour = keyof typeof palettes.light
type Colours = (name: Colour) => string

/** A selector of tags and classes, with spaces for what is inside, and its declarations. */
export type StyleRule = readonly [selector: string, declarations: Readonly<Record<string, string>>]

const statuses: readonly (readonly [status: string, tone: Colour, soft: Colour])[] = [
  ['succeeded', 'ok', 'ok-soft'],
  ['failed', 'bad', 'bad-soft'],
  ['caught', 'warn', 'warn-soft'],
  ['running', 'live', 'live-soft'],
  ['cancelled', 'off', 'inset'],
]

const fonts =
  'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","DejaVu Sans",sans-serif'

/** How a picture looks; of two rules for one thing the more exact one counts, then the later. */
function rulesWith(colour: Colours): readonly StyleRule[] {
  return [
    ['.asl-graph', { 'font-family': fonts }],
    ['.box', { fill: colour('surface'), stroke: colour('border'), 'stroke-width': '1' }],
    ['.container .box', { fill: colour('inset'), 'stroke-dasharray': '4 3' }],
    ['text', { 'pointer-events': 'none' }],
    ['.face', { 'pointer-events': 'none' }],
    ['.name', { 'font-size': '13px', 'font-weight': '600', fill: colour('ink') }],
    ['.detail', { 'font-size': '11px', fill: colour('muted') }],
    ['.label', { 'font-size': '11px', fill: colour('muted'), 'text-anchor': 'middle' }],
    ['.label-box', { fill: colour('surface'), opacity: '.92' }],
    ['.icon', { ...outline, stroke: colour('muted'), 'stroke-width': '1.4' }],
    ['.status', { ...outline, stroke: colour('muted'), 'stroke-width': '2' }],
    ['.line', { fill: 'none', stroke: colour('line'), 'stroke-width': '1.2' }],
    ['.arrow', { fill: colour('line') }],
    ['.catch .line', { 'stroke-dasharray': '4 4' }],
    ['.catch .label', { 'font-style': 'italic' }],
    ['.default .label', { 'font-style': 'italic' }],
    ['.terminal circle', { fill: colour('surface'), stroke: colour('line') }],
    ['.terminal text', { 'font-size': '9.5px', fill: colour('muted'), 'text-anchor': 'middle' }],
    ['.retry rect', { fill: colour('surface'), stroke: colour('border') }],
    ['.retry text', { 'font-size': '10px', fill: colour('muted'), 'text-anchor': 'middle' }],
    ['.was-retried rect', { stroke: colour('warn'), fill: colour('warn-soft') }],
    ['.was-retried text', { fill: colour('warn'), 'font-weight': '600' }],
    ['.missing .box', { stroke: colour('bad'), 'stroke-dasharray': '2 3' }],
    ...statuses.flatMap(([status, tone, soft]): StyleRule[] => [
      [`.is-${status} .status`, { stroke: colour(tone) }],
      [`.state.is-${status} .box`, { stroke: colour(tone), 'stroke-width': '1.5', fill: colour(soft) }],
      [`.container.is-${status} .box`, { fill: colour('inset') }],
    ]),
    ['.is-unreached .name', { fill: colour('muted') }],
    ['.is-unreached .detail', { fill: colour('muted') }],
    ['.is-unreached .box', { stroke: colour('border') }],
    ['.with-execution .edge .line', { stroke: colour('border') }],
    ['.with-execution .edge .arrow', { fill: colour('border') }],
    ['.with-execution .edge.taken .line', { stroke: colour('edge'), 'stroke-width': '1.8' }],
    ['.with-execution .edge.taken .arrow', { fill: colour('edge') }],
    ['.with-execution .edge.catch.taken .line', { stroke: colour('warn') }],
    ['.with-execution .edge.catch.taken .arrow', { fill: colour('warn') }],
    ['.track', { fill: colour('border') }],
    ['.done', { fill: colour('ok') }],
    ['.lost', { fill: colour('bad') }],
    ['.count', { 'font-size': '11px', fill: colour('muted'), 'text-anchor': 'end' }],
  ]
}

const outline = { fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }

function toCss(rules: readonly StyleRule[]): string {
  return rules
    .map(
      ([selector, declarations]) =>
        `${selector}{${Object.entries(declarations)
          .map(([name, value]) => `${name}:${value}`)
          .join(';')}}`,
    )
    .join('\n')
}

function variablesOf(palette: Readonly<Record<string, string>>): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
}

/** For the element, whose page may set the colours: light, and dark where the reader wants that. */
export const graphStyle: string = `
.asl-graph{${variablesOf(palettes.light)}}
@media (prefers-color-scheme:dark){.asl-graph{${variablesOf(palettes.dark)}}}
${toCss(rulesWith(name => `var(--${name})`))}
.count{font-variant-numeric:tabular-nums}
`

/** In light colours, for pictures that whatever program can draw: as attributes, which need no style sheet. */
export const lightRules: readonly StyleRule[] = rulesWith(name => palettes.light[name])

/** For the same pictures in a browser whose reader wants dark: colours alone. */
export const darkStyle: string = `@media (prefers-color-scheme:dark){
${toCss(coloursOf(rulesWith(name => palettes.dark[name])))}
}`

function coloursOf(rules: readonly StyleRule[]): readonly StyleRule[] {
  return rules.flatMap(([selector, declarations]): StyleRule[] => {
    const colours = Object.entries(declarations).filter(([, value]) => value.startsWith('#'))
    return colours.length === 0 ? [] : [[selector, Object.fromEntries(colours)]]
  })
}
