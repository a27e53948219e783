interface Instruction {
  line: number
  name: string
  text: string
}

const INSTRUCTIONS = new Set(
  'ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER VOLUME WORKDIR'.split(
    ' ',
  ),
)
/** A tag that names one release, down to its patch, or the content itself. */
const PINNED = /:\d+\.\d+\.\d+(?:-[\w.-]+)?$|@sha256:[0-9a-f]{64}$/
const SECRET = /\b[A-Z_]*(?:SECRET|PASSWORD|TOKEN|API_KEY)[A-Z_]*=/

/** Returns what is wrong with a Dockerfile, by line: nothing for one that can be shipped. */
export function lintDockerfile(text: string): string[] {
  const instructions = parse(text)
  const stages = new Set<string>()
  const found: string[] = []
  for (const instruction of instructions) {
    const say = (fault: string) => found.push(`${instruction.line}: ${fault}`)
    for (const fault of faultsOf(instruction, stages)) say(fault)
    const stage = /^\S+ +as +(\S+)$/i.exec(instruction.text)?.[1]
    if (instruction.name === 'FROM' && stage !== undefined) stages.add(stage)
  }
  const first = instructions.find(({ name }) => name !== 'ARG')
  if (first?.name !== 'FROM') found.push('1: the first instruction is not FROM')
  return [...found, ...faultsOfImage(instructions)]
}

/** Joins continued lines, and leaves comments out. */
function parse(text: string): Instruction[] {
  const instructions: Instruction[] = []
  let open: Instruction | undefined
  for (const [index, whole] of text.split('\n').entries()) {
    const trimmed = whole.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const isContinued = trimmed.endsWith('\\')
    const words = isContinued ? trimmed.slice(0, -1).trim() : trimmed
    if (open) open.text += ` ${words}`
    else {
      const [name = ''] = words.split(/\s/, 1)
      open = { line: index + 1, name, text: words.slice(name.length).trim() }
      instructions.push(open)
    }
    if (!isContinued) open = undefined
  }
  return instructions
}

function* faultsOf({ name, text }: Instruction, stages: ReadonlySet<string>): Generator<string> {
  if (name === 'ADD') yield 'ADD fetches and unpacks: use COPY'
  else if (!INSTRUCTIONS.has(name)) yield `${name} is not an instruction`
  if (name === 'FROM') {
    const [image = ''] = text.split(/\s/, 1)
    if (!stages.has(image) && !PINNED.test(image)) yield `${image} is not pinned to a release`
  }
  if (name === 'COPY') {
    const from = /--from=(\S+)/.exec(text)?.[1]
    if (from !== undefined && !stages.has(from)) yield `${from} is not an earlier stage`
  }
  if ((name === 'CMD' || name === 'ENTRYPOINT') && !isExecForm(text)) {
    yield `${name} starts a shell, which passes no signals on: use the exec form`
  }
  if (name === 'HEALTHCHECK') {
    const command = /\bCMD +(.*)$/.exec(text)?.[1]
    if (command === undefined || !isExecForm(command)) yield 'HEALTHCHECK is not in the exec form'
  }
  if (name === 'RUN') {
    if (/\bsudo\b/.test(text)) yield 'RUN needs no sudo'
    if (/\bnpm (?:i|install)\b/.test(text)) yield 'npm install may change versions: use npm ci'
    if (/\b(?:curl|wget)\b[^|]*\|/.test(text)) yield 'RUN runs what it fetches'
  }
  if (name === 'WORKDIR' && !text.startsWith('/')) yield 'WORKDIR is not absolute'
  if ((name === 'ENV' || name === 'ARG') && SECRET.test(text)) yield `${name} holds a secret`
}

/** Rules of the last stage, which is the image. */
function faultsOfImage(instructions: readonly Instruction[]): string[] {
  const start = instructions.findLastIndex(({ name }) => name === 'FROM')
  const image = instructions.slice(Math.max(start, 0))
  const line = image[0]?.line ?? 1
  const user = image.findLast(({ name }) => name === 'USER')?.text ?? 'root'
  const has = (wanted: string) => image.some(({ name }) => name === wanted)
  return [
    ...(/^(?:root|0)(?::|$)/.test(user) ? [`${line}: the image runs as root`] : []),
    ...(has('HEALTHCHECK') ? [] : [`${line}: the image has no HEALTHCHECK`]),
    ...(has('CMD') || has('ENTRYPOINT') ? [] : [`${line}: the image starts nothing`]),
  ]
}

function isExecForm(text: string): boolean {
  try {
    const words: unknown = JSON.parse(text)
    return Array.isArray(words) && words.every((word) => typeof word === 'string')
  } catch {
    return false
  }
}
