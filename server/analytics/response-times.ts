/** Upper bounds of the buckets in seconds; longer waits have a bucket of their own. */
const BUCKETS = [5, 10, 15, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1_800, 3_600, 7_200, 14_400]
const LONGER = 'longer'

/** Returns the bucket of a wait in milliseconds. */
export function responseTimeBucket(ms: number): string {
  return String(BUCKETS.find((seconds) => ms <= seconds * 1_000) ?? LONGER)
}

/**
 * Returns the median wait in seconds from the counts of the buckets, interpolated within the bucket;
 * `null` without waits.
 */
export function medianResponseTime(
  counted: readonly { subject: string; count: number; amount: number }[],
): number | null {
  const known = new Map(counted.map((bucket) => [bucket.subject, bucket]))
  const half = counted.reduce((sum, { count }) => sum + count, 0) / 2
  if (half === 0) return null
  let before = 0
  let from = 0
  for (const seconds of BUCKETS) {
    const count = known.get(String(seconds))?.count ?? 0
    if (count > 0 && before + count >= half) {
      return from + ((half - before) / count) * (seconds - from)
    }
    before += count
    from = seconds
  }
  const longer = known.get(LONGER)
  return longer ? longer.amount / longer.count / 1_000 : from
}
