/**
 * One expression that matches what any of several does. It reads a text once, which takes about half the time of one
 * after the other. Throws where their flags differ; none of them may refer to its groups by number.
 */
export function anyOf(patterns: readonly RegExp[]): RegExp {
  const [flags = '', ...others] = new Set(patterns.map((pattern) => pattern.flags))
  if (others.length > 0) throw new Error(`The flags differ: ${flags}, ${others.join(', ')}`)
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags)
}
