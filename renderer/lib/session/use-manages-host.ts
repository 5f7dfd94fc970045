import { useSession } from './session'

/**
 * Whether the host account looks at this page in the app window, or in a session that manages the host by a link;
 * undefined while that is not known. Anywhere else its calls do not exist.
 */
export function useManagesHost(): boolean | undefined {
  const { status, managesHost } = useSession()
  return status === 'loading' ? undefined : managesHost
}
