import { useSession } from './session'

/**
 * Whether this session manages the host: in the app window, or by a manage link; undefined while
 * unknown. Its calls are 404 for others.
 */
export function useManagesHost(): boolean | undefined {
  const { status, managesHost } = useSession()
  return status === 'loading' ? undefined : managesHost
}
