import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { AppError } from '../../core/errors'
import { serve } from '../../http/endpoint/serve'
import { toNetwork } from '../../core/net/ip-address'
import { remoteOf } from '../../http/pipeline/remote'
import { presentUser } from './presenter'
import { setupLinkInvalid } from './setup-link'

/** Registration: with the setup link, with an invite, at the window, or if the host allows it. */
export function registrationRoutes(
  router: Router,
  { accounts, data }: Rooms<'accounts' | 'data'>,
): void {
  const { users, passwords, setupLink, invites, signInThrottle, audit } = accounts

  /** Throws `setup_link_invalid` for a wrong or used token. */
  const requireSetup = (token: string) => {
    if (users.hasHost) throw setupLinkInvalid()
    setupLink.require(token)
  }

  serve(router, api.accounts.register, async ({ input, atWindow, address, ctx }) => {
    const { setup, invite, username, email } = input
    // Create the host account from the local network only: reject every setup token from outside.
    if (setup !== undefined && remoteOf(ctx).isOutside) throw setupLinkInvalid()
    if (setup !== undefined) requireSetup(setup)
    else if (invite !== undefined) invites.require(invite)

    const isProven = atWindow || setup !== undefined
    if (!data.settings.get().registration_open && !isProven && invite === undefined) {
      throw new AppError('registration_closed', 'This host does not accept new accounts')
    }

    // Visitors behind a local relay share an address with the owner, and must not use up the
    // owner's limit.
    if (!isProven) await signInThrottle.registering(address)
    users.requireFree(input)

    const passwordHash = await passwords.hash(
      input.password,
      isProven ? 'proven' : toNetwork(address),
    )

    const user = await users.add({ username, email, passwordHash }, (tx, id) => {
      if (setup !== undefined && users.hasHost) throw setupLinkInvalid()
      if (setup === undefined && invite !== undefined) return invites.accept(tx, invite, id)
      return { isHost: isProven && !users.hasHost }
    })

    const detail = user.isHost ? 'host account' : invite && 'invite link'
    audit.record(ctx, { kind: 'register', userId: user.id, detail })
    return { message: 'Registration successful! Please log in.', user: presentUser(user) }
  })
}
