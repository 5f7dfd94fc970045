import { useHost } from '../../lib/host/host'
import { useManagesHost } from '../../lib/session/use-manages-host'

/** Whether only this computer can open links, and whether this person can change that. */
export function useReach(): { isAlone: boolean; canShare: boolean } {
  const { reachable, version } = useHost()
  // An empty version: the host is not known yet.
  const isAlone = version !== '' && !reachable
  return { isAlone, canShare: useManagesHost() === true && isAlone }
}
