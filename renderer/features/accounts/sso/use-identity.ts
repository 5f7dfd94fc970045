import { queryKeys } from '../../../lib/client/query-keys'
import { useLoad } from '../../../lib/client/use-load'
import { useHost } from '../../../lib/host/host'

/** The signed-in person's account at the provider of single sign-on, where the host has one. */
export function useIdentity() {
  const { single_sign_on: provider } = useHost()
  return useShown(provider !== null)
}

/** Whether the signed-in person has a password: the provider's people have none at first. */
export const useHasPassword = (): boolean => useShown(true).data?.has_password !== false

const useShown = (enabled: boolean) =>
  useLoad(queryKeys.identity, (client, signal) => client.singleSignOn.show({}, signal), { enabled })
