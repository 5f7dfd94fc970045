/** The local day of a time, as a date field has it. */
export function dayOf(iso: string): string {
  const date = new Date(iso)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

/** The last moment of a local day; undefined: no day. */
export function endOf(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}
