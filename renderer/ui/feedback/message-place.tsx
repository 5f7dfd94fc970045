import { Notifications } from '@mantine/notifications'

/** Where `notifySuccess` and `notifyError` show up. */
export function MessagePlace() {
  return <Notifications position="bottom-center" />
}
