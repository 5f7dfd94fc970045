import { z } from 'zod'
import { openText, sealText } from '../../access/sealed-text'
import { HOUR_MS, MINUTE_MS, type Clock } from '../../core/clock'
import { parseJson } from '../../core/json'

/** How long each kind of ticket works, in ms. */
const LIFETIMES = {
  /** Proves the password of an account, which still needs a factor. */
  sign_in: 10 * MINUTE_MS,
  /** The secret of codes that a person is setting up. */
  codes: 15 * MINUTE_MS,
  /** What a new passkey signs, and one that signs in. */
  passkey_new: 5 * MINUTE_MS,
  passkey: 5 * MINUTE_MS,
  /** What a browser brings back from the provider of single sign-on. */
  sso: 10 * MINUTE_MS,
  /** A mailed link that sets a new password. */
  password: HOUR_MS,
} as const
type Kind = keyof typeof LIFETIMES

const ticketSchema = z.object({
  kind: z.string(),
  /** Null: a passkey says whose it is. */
  userId: z.string().nullable(),
  until: z.number(),
  data: z.string(),
})
export type Ticket = z.infer<typeof ticketSchema>

/**
 * What a person brings from one call to the next, encrypted by a key of the host, which keeps
 * nothing for strangers.
 */
export class Tickets {
  constructor(
    private readonly sessionKeys: readonly string[],
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  issue(kind: Kind, userId: string | null, data = ''): string {
    const until = this.clock.now().getTime() + LIFETIMES[kind]
    return sealText(
      this.sessionKeys,
      JSON.stringify({ kind, userId, until, data } satisfies Ticket),
    )
  }

  /** Returns undefined for a ticket of another kind or host, and an expired one. */
  open(kind: Kind, sealed: string): Ticket | undefined {
    const ticket = ticketSchema.safeParse(parseJson(openText(this.sessionKeys, sealed) ?? '')).data
    const now = this.clock.now().getTime()
    return ticket?.kind === kind && now < ticket.until ? ticket : undefined
  }
}
