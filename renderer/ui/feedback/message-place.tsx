import { Notifications } from '@mantine/notifications'

/** Where messages show up. It exists before them: screen readers miss a live region that comes with its text. */
export function MessagePlace() {
  return <Notifications position="bottom-center" aria-live="polite" />
}
