import { createHmac, hkdfSync } from 'node:crypto'
import { isSameSecret } from '../../access/same-secret'
import type { Rooms } from '../../compose/context'
import { AppError } from '../../core/errors'
import type { Audience } from '../releases/audience'

const VALID_MS = 30 * 60_000
const PURPOSE = 'slipway install address'

type Deps = Rooms<'data' | 'host'>

/** Whose ticket it is: an audience, or the recipient of a share link in place of a project. */
export type TicketHolder = Pick<Audience, 'base' | 'channel' | 'seal'> & { project: { id: string } }

/** Issues the ticket of an install address: 30 minutes for one file and one audience. */
export function ticketFor(deps: Deps, audience: TicketHolder, fileId: string): string {
  const [newest = ''] = deps.data.secrets.sessionKeys
  const expiry = Math.floor((deps.host.sources.now().getTime() + VALID_MS) / 1000).toString(36)
  return `${expiry}~${signature(newest, expiry, audience, fileId)}`
}

/**
 * Throws `not_found` if a ticket is not valid. A ticket does not replace a policy: it only proves
 * that the install page offered this file to the caller.
 */
export function requireTicket(
  deps: Deps,
  audience: TicketHolder,
  fileId: string,
  ticket: string,
): void {
  const [expiry = '', mac = ''] = ticket.split('~')

  const isSigned = deps.data.secrets.sessionKeys.some((key) =>
    isSameSecret(mac, signature(key, expiry, audience, fileId)),
  )
  const isCurrent = parseInt(expiry, 36) * 1000 > deps.host.sources.now().getTime()

  if (!isSigned || !isCurrent)
    throw new AppError(
      'not_found',
      'This install address is wrong or has expired. Open the install page again',
    )
}

/** Returns the signed path of a file. */
export const signedAddress = (
  { base }: TicketHolder,
  fileId: string,
  ticket: string,
  name: 'manifest.plist' | 'app.ipa' | 'icon.png',
): string => `${base}/install/${fileId}/${ticket}/${name}`

/**
 * Signs with a key that is derived from a session key: no further secret to store, and a session
 * cookie cannot be used as a ticket.
 */
function signature(
  sessionKey: string,
  expiry: string,
  audience: TicketHolder,
  fileId: string,
): string {
  const { base, project, channel, seal = null } = audience
  const key = new Uint8Array(hkdfSync('sha256', sessionKey, '', PURPOSE, 32))
  return createHmac('sha256', key)
    .update(JSON.stringify([expiry, base, project.id, channel, seal, fileId]))
    .digest('base64url')
}
