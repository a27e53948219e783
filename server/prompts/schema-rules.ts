const MAX_SCHEMA_LENGTH = 32_768
const MAX_DEPTH = 12
/** Compiling a schema blocks the event loop in proportion to its subschemas. */
const MAX_SUBSCHEMAS = 300
const MAX_UNIQUE_ITEMS = 1_000
/** All patterns of a schema together, because a counted repetition multiplies its program. */
const MAX_PATTERNS_LENGTH = 2_000
const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const LOCAL_DEFINITION = /^#\/\$defs\/([A-Za-z0-9_.-]{1,64})$/

/** The value of a keyword: a plain value, one subschema, a list of them, or a map of them. */
type KeywordValue = 'value' | 'schema' | 'list' | 'map'

/**
 * The allowed keywords of JSON Schema 2020-12. Identifiers, anchors and dynamic or recursive
 * references are missing, because a reference cycle makes the cost of a check exponential. A keyword
 * that a later validator learns stays refused until it is added here.
 */
const KEYWORDS: ReadonlyMap<string, KeywordValue> = new Map([
  ...keywords('schema', 'items contains additionalProperties propertyNames if then else not'),
  ...keywords('schema', 'unevaluatedItems unevaluatedProperties'),
  ...keywords('list', 'prefixItems allOf anyOf oneOf'),
  ...keywords('map', '$defs properties patternProperties dependentSchemas'),
  ...keywords('value', '$schema $ref $comment type const enum multipleOf maximum exclusiveMaximum'),
  ...keywords('value', 'minimum exclusiveMinimum maxLength minLength pattern maxItems minItems'),
  ...keywords('value', 'uniqueItems maxContains minContains maxProperties minProperties required'),
  ...keywords('value', 'dependentRequired title description default deprecated readOnly writeOnly'),
  ...keywords('value', 'examples format contentEncoding contentMediaType'),
])

function keywords(holds: KeywordValue, names: string): [string, KeywordValue][] {
  return names.split(' ').map((name) => [name, holds])
}

/** The measures of an accepted schema, which bound the cost of a check. */
export interface SchemaWeight {
  /** JSON values of the schema, with its references expanded. */
  values: number
  /** Lists that are compared pairwise, with references expanded. */
  uniqueLists: number
}

/** Returns the reasons against a schema, for its author; empty for an accepted one. */
export function findForbiddenParts(schema: Record<string, unknown>): string[] {
  return [...new Set(new SchemaWalk(schema).errors)]
}

/** Returns the weight of an accepted schema. */
export function weighSchema(schema: Record<string, unknown>): SchemaWeight {
  return new SchemaWalk(schema).weight
}

/** One pass over a schema, which looks for keywords only where JSON Schema expects them. */
class SchemaWalk {
  readonly errors: string[] = []
  readonly weight: SchemaWeight = { values: 0, uniqueLists: 0 }
  readonly #definitions = new Map<string, SchemaWeight>()
  #subschemas = 0
  #patternsLength = 0

  constructor(schema: Record<string, unknown>) {
    if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) {
      this.errors.push(`is longer than ${MAX_SCHEMA_LENGTH} characters`)
      return
    }
    if (schema.type !== 'object') {
      this.errors.push('must have "type": "object"')
      return
    }
    const { $defs: definitions, ...root } = schema
    if (isObject(definitions)) {
      for (const [name, definition] of Object.entries(definitions)) {
        const weight = { values: 0, uniqueLists: 0 }
        this.#visitSubschema(definition, 2, weight, 'definition')
        this.#definitions.set(name, weight)
      }
    } else if (definitions !== undefined) {
      this.errors.push('needs an object as "$defs"')
    }
    this.#visitSubschema(root, 0, this.weight, 'root')
    if (this.#subschemas > MAX_SUBSCHEMAS) {
      this.errors.push(`has more than ${MAX_SUBSCHEMAS} parts`)
    }
    if (this.#patternsLength > MAX_PATTERNS_LENGTH) {
      this.errors.push(`has patterns of more than ${MAX_PATTERNS_LENGTH} characters together`)
    }
  }

  #visitSubschema(
    schema: unknown,
    depth: number,
    weight: SchemaWeight,
    place: 'root' | 'definition' | 'inner',
  ): void {
    weight.values += 1
    this.#subschemas += 1
    if (this.#subschemas > MAX_SUBSCHEMAS || !this.#isShallow(depth)) return
    if (!isObject(schema)) {
      if (typeof schema !== 'boolean') this.errors.push('has a part that is not a schema')
      return
    }
    for (const [keyword, value] of Object.entries(schema)) {
      const holds = KEYWORDS.get(keyword)
      if (holds === undefined) {
        this.errors.push(`may not use ${keyword}`)
      } else if (holds === 'value') {
        this.#visitValue(value, depth + 1, weight)
      } else if (holds === 'schema') {
        this.#visitSubschema(value, depth + 1, weight, inside(place))
      } else if (holds === 'list' ? !Array.isArray(value) : !isObject(value)) {
        this.errors.push(`has a ${keyword} of the wrong type`)
      } else if (isObject(value) || Array.isArray(value)) {
        if (keyword === '$defs') this.errors.push('may have $defs at its top only')
        for (const inner of Object.values(value)) {
          this.#visitSubschema(inner, depth + 2, weight, inside(place))
        }
      }
    }
    this.#checkKeywords(schema, weight, place)
  }

  #checkKeywords(
    schema: Record<string, unknown>,
    weight: SchemaWeight,
    place: 'root' | 'definition' | 'inner',
  ): void {
    const { $schema, $ref, pattern, patternProperties, uniqueItems, maxItems } = schema
    if ($schema !== undefined && ($schema !== DIALECT || place !== 'root')) {
      this.errors.push('may not use another dialect')
    }
    if ($ref !== undefined && place === 'definition') {
      this.errors.push('may not refer from one definition to another')
    } else if ($ref !== undefined) this.#addReference($ref, weight)
    if (typeof pattern === 'string') this.#patternsLength += pattern.length
    if (isObject(patternProperties)) {
      for (const key of Object.keys(patternProperties)) this.#patternsLength += key.length
    }
    if (uniqueItems === true) {
      weight.uniqueLists += 1
      if (typeof maxItems !== 'number' || maxItems > MAX_UNIQUE_ITEMS) {
        this.errors.push(`needs "maxItems" of at most ${MAX_UNIQUE_ITEMS} beside "uniqueItems"`)
      }
    }
  }

  #addReference($ref: unknown, weight: SchemaWeight): void {
    const [, name = ''] = LOCAL_DEFINITION.exec(String($ref)) ?? []
    const definition = this.#definitions.get(name)
    if (!definition) {
      this.errors.push('may only refer to "#/$defs/…"')
      return
    }
    weight.values += definition.values
    weight.uniqueLists += definition.uniqueLists
  }

  #visitValue(value: unknown, depth: number, weight: SchemaWeight): void {
    weight.values += 1
    if (typeof value !== 'object' || value === null || !this.#isShallow(depth)) return
    for (const inner of Object.values(value)) this.#visitValue(inner, depth + 1, weight)
  }

  #isShallow(depth: number): boolean {
    if (depth <= MAX_DEPTH) return true
    this.errors.push(`is deeper than ${MAX_DEPTH} levels`)
    return false
  }
}

function inside(place: 'root' | 'definition' | 'inner'): 'definition' | 'inner' {
  return place === 'definition' ? 'definition' : 'inner'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
