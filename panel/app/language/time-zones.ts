/** Returns the time zones to choose from, with the one that is chosen. */
export function timeZoneOptions(chosen: string): { value: string; label: string }[] {
  const zones = Intl.supportedValuesOf('timeZone')
  const all = zones.includes(chosen) ? zones : [chosen, ...zones]
  return all.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}
