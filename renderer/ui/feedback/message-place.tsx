import { Notifications } from '@mantine/notifications'

export { notifications } from '@mantine/notifications'

/**
 * Mounted before the first message, because screen readers ignore a live region that arrives with
 * its text.
 */
export function MessagePlace() {
  return <Notifications position="bottom-right" aria-live="polite" />
}
