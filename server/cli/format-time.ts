// Not in the language of the system: the sentences around it are English.
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' })

/** '06:08' today, else '29 November, 22:08'; in the time zone of this computer. */
export function formatTime(iso: string, now = new Date()): string {
  const date = new Date(iso)
  const isToday = date.toDateString() === now.toDateString()
  return isToday ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`
}
