import type { Accounts } from '../../compose/accounts'
import type { Foundation } from '../../compose/foundation'
import type { Network } from '../../compose/network'
import { IssuerKeys, isSafe } from '../../network/issuer-keys'
import { LogoutTokens } from './logout-tokens'
import { SingleSignOn } from './single-sign-on'

/** Opens single sign-on, which asks its provider when somebody signs in. */
export function openSingleSignOn(
  { data, sources, log }: Foundation,
  { accounts, network }: { accounts: Accounts; network: Network },
) {
  const { settings, secrets, library } = data
  const signOn = new SingleSignOn({
    ...{ settings, secrets, sources, log },
    tickets: accounts.tickets,
    origins: () => readOrigins(network),
  })

  const keys = new IssuerKeys({ mayReach: () => true, sources })
  const { sessionStore, identities, usedTokens } = accounts
  const logout = new LogoutTokens({ keys, library, sessionStore, identities, usedTokens })
  return { signOn, logout }
}

/** The addresses that this host is set to have. A client's Host header adds none. */
function readOrigins({ publicUrl, publicOrigin }: Network): string[] {
  const urls = [publicUrl(), publicOrigin()].flatMap((url) => (url === null ? [] : [new URL(url)]))
  return [...new Set(urls.filter(isSafe).map(({ origin }) => origin))]
}
