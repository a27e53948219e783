import { type Figure, type Report, boundedValue, isReached } from './figure.ts'
import { type Column, markdownTable, shortNumber } from './table.ts'

/** A section of the page: the figures of its parts. */
interface Area {
  title: string
  parts: readonly string[]
  text: string
}

const AREAS: readonly Area[] = [
  {
    title: 'Chat turns',
    parts: ['chat'],
    text: `A visitor's question, answered from 100 documents, durable and metered. The floor is a bare Fastify
route that echoes JSON.`,
  },
  {
    title: 'Prompt runs',
    parts: ['execute'],
    text: `Metered runs of a prompt, as JSON and as streams of 20 chunks, in front of a model without latency.
A rate is for one core, and its floor a bare gateway of Fastify and undici to the same model; the floor of
a time is a bare \`node:http\` pipe. The gateways beside it only forward.`,
  },
  {
    title: 'Live streams',
    parts: ['live'],
    text: `Server-sent events of one process: memory, and the time of an operator's message to every reader.`,
  },
  {
    title: 'Deliveries',
    parts: ['delivery', 'crash-recovery'],
    text: `Webhooks, durable, signed, sent and logged, with a receiver that verifies every signature. The floor is
a loop of signed posts by undici, without a database.`,
  },
  {
    title: 'Search and knowledge',
    parts: ['search', 'vectors', 'knowledge'],
    text: `Search by words and by vectors, answers from passages, and the time from an upload until search finds it.`,
  },
  {
    title: 'Widget',
    parts: ['widget'],
    text: `A page with the widget in Chromium, slowed four times. The floor is the same page with a bare button.`,
  },
  {
    title: 'Panel',
    parts: ['panel'],
    text: `What the browser loads, Home on a slow network, and an inbox of 10,000 conversations.`,
  },
  {
    title: 'Overload',
    parts: ['overload'],
    text: `Five times the measured capacity for 30 s: what accepted callers and a supervisor see, and what
stays afterwards.`,
  },
  {
    title: 'A remote database',
    parts: ['remote'],
    text: `Chat turns of one workspace with Postgres 20 ms away, from one process and from four.`,
  },
  {
    title: 'Processor time beside the floor',
    parts: ['guard'],
    text: `Processor time as a ratio to a bare Fastify, a bare pipe and a bare loop of posts. The target is a fifth
above the ratio of the commit in \`bench/guard.json\`, or above its cost measured in turns where the stored ratio is exceeded.`,
  },
]

const GROWTH_TEXT = `The same work at growing sizes. A cost that stays level in a row does not depend on the size.`

/** Returns the page that is made from a report. */
export function performancePage(report: Report): string {
  const sections = AREAS.flatMap(({ title, parts, text }) => {
    const figures = parts.flatMap((name) => report.parts[name]?.figures ?? [])
    const plain = figures.filter(({ growth }) => !growth)
    return plain.length === 0 ? [] : [`## ${title}\n\n${text}\n\n${areaTable(plain)}`]
  })
  return `${[introduction(report), ...sections, ...growthSection(report), partsSection(report)].join('\n\n')}\n`
}

function introduction({ date, machine, versions, parts }: Report): string {
  const bounded = Object.values(parts)
    .flatMap(({ figures }) => figures)
    .filter(({ target }) => target)
  const reached = bounded.filter((figure) => isReached(figure))
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `# Performance

Made by \`npm run bench\` from \`bench/report.json\`; not edited by hand. Of ${bounded.length} figures with a target,
${reached.length} reach it.

Measured on ${date}: ${machine.cpu}, ${machine.cores} cores, ${machine.memory_gb} GB, Linux ${machine.kernel};
${programs.join(', ')}.

## How to read it

- The load, the product, the database and the receivers share the machine. Absolute figures vary with it,
  and with other work on it; the share of the floor, measured in the same run, varies less.
- _Floor_: the same work without the product. _Share_: the figure divided by its floor.
- _Before_: the figure of the run before. A difference below 20 % is noise.
- _Others_: figures of other products, measured once in November 2026 on two noisy cores, not in this run.
- \`npm run bench\` measures everything (below 20 minutes, on a quiet machine), prints what changed, and stores
  the report and this page. \`npm run bench -- all chat widget\` measures some parts and stores them among the
  others; \`npm run bench -- chat\` prints a table and stores nothing; \`npm run bench -- report\` makes this page.`
}

const hasAny = (figures: readonly Figure[], key: keyof Figure) =>
  figures.some((figure) => figure[key] !== undefined)

function areaTable(figures: readonly Figure[]): string {
  const cells: { column: Column; cell: (figure: Figure) => string }[] = [
    { column: { head: 'figure' }, cell: ({ label }) => label },
    {
      column: { head: 'value', isNumber: true },
      cell: ({ value, unit }) => withUnit(shortNumber(value), unit),
    },
  ]
  if (hasAny(figures, 'floor')) {
    cells.push(
      { column: { head: 'floor', isNumber: true }, cell: ({ floor }) => shortNumber(floor) },
      { column: { head: 'share', isNumber: true }, cell: shareOf },
    )
  }
  if (hasAny(figures, 'target')) cells.push({ column: { head: 'target' }, cell: targetOf })
  if (hasAny(figures, 'previous')) {
    const column = { head: 'before', isNumber: true }
    cells.push({ column, cell: ({ previous }) => shortNumber(previous?.value) })
  }
  if (hasAny(figures, 'peers')) cells.push({ column: { head: 'others' }, cell: peersOf })
  return markdownTable(
    cells.map(({ column }) => column),
    figures.map((figure) => cells.map(({ cell }) => cell(figure))),
  )
}

function withUnit(number: string, unit: string): string {
  return unit === '' ? number : `${number} ${unit}`
}

function shareOf({ value, floor }: Figure): string {
  return value === null || !floor ? '–' : shortNumber(value / floor)
}

function targetOf(figure: Figure): string {
  const { target, better, unit } = figure
  if (!target) return '–'
  const sign = better === 'higher' ? '≥' : '≤'
  const bounds = {
    value: withUnit(shortNumber(target.bound), unit),
    'share of the floor': `${shortNumber(target.bound)} of the floor`,
    'beyond the floor': `floor + ${withUnit(shortNumber(target.bound), unit)}`,
  }
  const isNeeded = target.of !== 'value' && boundedValue(figure) === undefined
  const verdict = isNeeded ? 'no floor' : isReached(figure) ? 'met' : '**missed**'
  return `${sign} ${bounds[target.of]}: ${verdict}`
}

function peersOf({ peers }: Figure): string {
  const entries = Object.entries(peers ?? {})
  return entries.map(([name, value]) => `${name} ${shortNumber(value)}`).join(', ') || '–'
}

function growthSection(report: Report): string[] {
  const figures = Object.values(report.parts).flatMap((part) =>
    part.figures.filter(({ growth }) => growth),
  )
  if (figures.length === 0) return []
  const axes = Map.groupBy(figures, ({ growth }) => growth?.axis ?? '')
  const tables = [...axes].map(([axis, inside]) => `### By ${axis}\n\n${growthTable(inside)}`)
  return [`## How cost grows\n\n${GROWTH_TEXT}`, ...tables]
}

/** Returns a table with a row for each figure that grows, and a column for each size. */
function growthTable(figures: readonly Figure[]): string {
  const sizes = [...new Set(figures.map(({ growth }) => growth?.at ?? 0))].toSorted((a, b) => a - b)
  const rows = Map.groupBy(figures, ({ label, unit }) => withUnit(label, unit && `(${unit})`))
  return markdownTable(
    [
      { head: '' },
      ...sizes.map((size) => ({ head: size.toLocaleString('en-US'), isNumber: true })),
    ],
    [...rows].map(([label, inside]) => [
      label,
      ...sizes.map((size) => shortNumber(inside.find(({ growth }) => growth?.at === size)?.value)),
    ]),
  )
}

function partsSection({ parts }: Report): string {
  const rows = Object.entries(parts).map(([name, { date, commit, seconds, failed }]) => [
    `\`${name}\``,
    date,
    commit,
    `${Math.round(seconds)} s`,
    failed === undefined ? '–' : `failed: ${failed}`,
  ])
  const columns = [
    { head: 'part' },
    { head: 'measured on' },
    { head: 'commit' },
    { head: 'took', isNumber: true },
    { head: 'newest run' },
  ]
  return `## Parts\n\n${markdownTable(columns, rows)}`
}
