import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, stored } from '../report/figure.ts'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'dist/widget')
/** The limits of `npm run size`, which hold for the files with brotli. */
const MAX_LOADER_KB = 1.5
const MAX_FIRST_MESSAGE_KB = 16
const MAX_OPEN_MS = 150
/** As long as the floor, and a tenth more. */
const MAX_SHARE = 1.1
/** Measured once: KB with brotli, milliseconds with the processor slowed four times. */
const PEERS: Record<string, Record<string, number>> = {
  loader: { LiveChat: 2.2, Onyx: 42.5, 'deep-chat': 89.7, Typebot: 160, Chatwoot: 242, n8n: 470 },
  first: { Onyx: 42.5, 'deep-chat': 89.7, Typebot: 161, Chatwoot: 486, n8n: 470 },
  launcher: { Onyx: 433, 'deep-chat': 504, Typebot: 603, Chatwoot: 1_137, n8n: 1_035 },
  mainThread: { Onyx: 213, 'deep-chat': 258, Typebot: 297, Chatwoot: 1_143, n8n: 671 },
  longestTask: { Onyx: 99, 'deep-chat': 56, Typebot: 199, Chatwoot: 197, n8n: 512 },
}

/** The figures of one visit to a page with one widget. */
export interface Visit {
  kilobytes: number
  requests: number
  launcherMs: number
  mainThreadMs: number
  /** The longest task with the widget's scripts; 0 below the threshold of a long task. */
  longestTaskMs: number
  /** Compiling and evaluating the product's loader. */
  loaderMs: number
  shift: number
  /** From the click on the launcher to an input that can be written in. */
  openMs: number
}

/** The medians of visits to the page with the widget and to the page with a bare button. */
interface Medians {
  own: (what: keyof Visit) => number
  floor: (what: keyof Visit) => number
  opening: number
  answering: number
}

/** Returns the widget's figures for the report. */
export function widgetFigures({ own, floor, opening, answering }: Medians): Figure[] {
  const report = (
    id: string,
    label: string,
    value: number,
    unit: string,
    more: Pick<Figure, 'target' | 'floor'> = {},
  ): Figure => {
    const peers = PEERS[id]
    return {
      id,
      label,
      value: stored(value),
      unit,
      better: 'lower',
      ...(peers && { peers }),
      ...more,
    }
  }
  const most = (bound: number) => ({ target: { of: 'value', bound } }) as const
  const besideButton = (what: keyof Visit) =>
    ({
      floor: stored(floor(what)) ?? 0,
      target: { of: 'share of the floor', bound: MAX_SHARE },
    }) as const
  return [
    report('loader', 'the launcher', kilobytesOf(['widget.js']), 'KB', most(MAX_LOADER_KB)),
    report(
      'first',
      'everything to the first message',
      kilobytesOf(['widget.js', 'assets/*/main.js', 'assets/*/ar.js']),
      'KB',
      most(MAX_FIRST_MESSAGE_KB),
    ),
    report('requests', 'requests of the page', own('requests'), ''),
    report(
      'launcher',
      'launcher visible after',
      own('launcherMs'),
      'ms',
      besideButton('launcherMs'),
    ),
    report(
      'mainThread',
      'main thread of the page',
      own('mainThreadMs'),
      'ms',
      besideButton('mainThreadMs'),
    ),
    report('longestTask', 'longest task over 50 ms', own('longestTaskMs'), 'ms', most(0)),
    report('open', 'from the click to the input', own('openMs'), 'ms', most(MAX_OPEN_MS)),
    report('opening', 'longest task when opened', opening, 'ms'),
    report('answering', 'longest task when asked', answering, 'ms'),
  ]
}

/** Returns the size of files of the build, with brotli; of several, the largest. */
function kilobytesOf(patterns: readonly string[]): number {
  const sizes = patterns.map((pattern) =>
    Math.max(
      ...globSync(`${pattern}.br`, { cwd: DIST }).map(
        (file) => readFileSync(join(DIST, file)).length,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000
}
