import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { AppError } from '../../core/errors'
import type { FactorRecord, PasskeyRecord } from '../../data/records/account-records'
import type { FactorStore } from './factor-store'
import type { RelyingParty } from './relying-party'
import type { Ticket, Tickets } from './tickets'

/** What a browser sends of an authenticator; the library checks its form. */
type Sent = Record<string, unknown>

/** EdDSA, ES256 and RS256 (RFC 9053): what authenticators have. */
const ALGORITHMS = [-8, -7, -257]
/** The most bytes of each text in an answer. */
const MAX_TEXT = 4096

/** Loads the library on demand: a start reads none of it. */
const load = () => import('@simplewebauthn/server')

/**
 * Passkeys (WebAuthn). Each must verify the person, by a PIN or a finger, so that one alone proves
 * what it is and who has it. The challenge is a ticket, so that a stranger who asks for one makes
 * the host keep nothing.
 */
export class Passkeys {
  constructor(
    private readonly factors: FactorStore,
    private readonly tickets: Tickets,
  ) {}

  /** Returns the options of a new passkey, for the browser. */
  async creationOptions(
    party: RelyingParty,
    { id, username }: { id: string; username: string },
  ): Promise<object> {
    const { generateRegistrationOptions } = await load()
    return generateRegistrationOptions({
      rpName: 'Slipway',
      rpID: party.id,
      userName: username,
      userDisplayName: username,
      userID: new Uint8Array(Buffer.from(id)),
      challenge: this.tickets.issue('passkey_new', id),
      excludeCredentials: describeCredentials(this.factors.find(id), party),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    })
  }

  /** Verifies a new passkey of an account. Throws `invalid_input`. */
  async verifyNew(
    party: RelyingParty,
    userId: string,
    sent: Sent,
  ): Promise<Omit<PasskeyRecord, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>> {
    const { verifyRegistrationResponse } = await load()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: sent as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => this.#open('passkey_new', challenge)?.userId === userId,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => ({ registrationInfo: undefined }))

    if (!registrationInfo || registrationInfo.credential.id.length > MAX_TEXT) {
      throw new AppError(
        'invalid_input',
        'This passkey could not be verified. Try again on a page that you have just loaded',
        'response',
      )
    }

    const { id: credentialId, publicKey, counter, transports } = registrationInfo.credential
    return {
      credentialId,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: (transports ?? []).slice(0, 10).map((transport) => transport.slice(0, 40)),
      rpId: party.id,
    }
  }

  /**
   * Returns the options of a sign-in. Without a user the authenticator offers the passkeys that it
   * has for this host. `data`: what the sign-in brings along.
   */
  async requestOptions(party: RelyingParty, userId: string | null, data = ''): Promise<object> {
    const { generateAuthenticationOptions } = await load()
    return generateAuthenticationOptions({
      rpID: party.id,
      challenge: this.tickets.issue('passkey', userId, data),
      userVerification: 'required',
      allowCredentials:
        userId === null ? [] : describeCredentials(this.factors.find(userId), party),
    })
  }

  /** The account that an answer claims to be of, if it names one, and the data of its options. */
  claimOf(sent: Sent): { userId: string | undefined; data: string } {
    const { userHandle, clientDataJSON } = (sent['response'] ?? {}) as Record<string, unknown>
    const { challenge } = parseClientData(clientDataJSON)
    const ticket = this.#open('passkey', challenge)
    const handle =
      typeof userHandle === 'string' ? Buffer.from(userHandle, 'base64url').toString() : undefined
    return { userId: ticket?.userId ?? handle, data: ticket?.data ?? '' }
  }

  /**
   * Verifies an answer of an account's passkey and uses it up. Returns false for an unknown
   * passkey, another account or host, a page of another origin, an answer without a verified
   * person, and one that was used.
   */
  async use(party: RelyingParty, userId: string, sent: Sent): Promise<boolean> {
    const { passkeys } = this.factors.find(userId)
    const passkey = passkeys.find((it) => it.credentialId === sent['id'] && it.rpId === party.id)
    if (!passkey) return false

    let ticket: Ticket | undefined
    let answered = ''
    const { verifyAuthenticationResponse } = await load()
    const verification = await verifyAuthenticationResponse({
      response: sent as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => {
        answered = challenge
        ticket = this.#open('passkey', challenge)
        return ticket !== undefined && [null, userId].includes(ticket.userId)
      },
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }).catch(() => undefined)
    if (!verification?.verified || !ticket) return false

    const { newCounter: counter } = verification.authenticationInfo
    const answer = { credentialId: passkey.credentialId, counter, challenge: answered }
    return this.factors.usePasskey(userId, { ...answer, until: ticket.until })
  }

  /** A challenge is the text of a ticket, which the library encodes once more. */
  #open(kind: 'passkey' | 'passkey_new', challenge: unknown): Ticket | undefined {
    if (typeof challenge !== 'string' || challenge.length > MAX_TEXT) return undefined
    return this.tickets.open(kind, Buffer.from(challenge, 'base64url').toString())
  }
}

/** The passkeys of an account that work at this name of the host. */
const describeCredentials = ({ passkeys }: FactorRecord, { id }: RelyingParty) =>
  passkeys
    .filter(({ rpId }) => rpId === id)
    .map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] }))

function parseClientData(encoded: unknown): { challenge?: unknown } {
  if (typeof encoded !== 'string') return {}
  try {
    return Object(JSON.parse(Buffer.from(encoded, 'base64url').toString())) as object
  } catch {
    return {}
  }
}
