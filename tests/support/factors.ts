import { ApiError, type Client } from '../../renderer/lib/client/api-client'
import { computeCode } from '../../server/features/factors/totp'
import { Authenticator } from './authenticator'
import { createClient } from './network/client'
import { Browser } from './system/browser'
import { PASSWORD } from './world/password'
import type { Person, TestServer } from './world/test-server'

const STEP_MS = 30_000

/** The code that an app shows; `later`: so many steps of 30 s after now. */
export const codeOf = ({ clock }: Pick<TestServer, 'clock'>, secret: Buffer, later = 0): string =>
  computeCode(secret, Math.floor(clock.now().getTime() / STEP_MS) + later)

/** The bytes of a secret that a person could type. */
export const fromBase32 = (text: string): Buffer => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = text
    .split('')
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Sets up codes of an app. The clock then stands at a later code. */
export async function addCodes(
  server: Pick<TestServer, 'clock'>,
  { factors }: Client,
): Promise<{ secret: Buffer; recoveryCodes: string[] }> {
  const begun = await factors.beginCodes({})
  const secret = fromBase32(begun.secret)
  const { recovery_codes } = await factors.addCodes({
    setup: begun.setup,
    code: codeOf(server, secret),
  })
  server.clock.advance(2 * STEP_MS)
  return { secret, recoveryCodes: recovery_codes ?? [] }
}

/** The same server at a name where passkeys work. */
export async function withPasskeys(server: TestServer): Promise<TestServer> {
  const url = `http://localhost:${server.port}`
  await server.inside.settings.update({ public_url: url })
  return server.through(url, fetch)
}

/** Adds a passkey to the account of a person. */
export async function addPasskey(
  { client }: Pick<Person, 'client'>,
  url: string,
  name = 'Laptop',
): Promise<Authenticator> {
  const key = new Authenticator(url)
  const { options } = await client.factors.newPasskeyOptions({})
  await client.factors.addPasskey({ name, response: key.create(options) })
  return key
}

/** A browser that is signed out. */
export const aBrowser = ({ url }: TestServer) =>
  createClient(url, { fetch: new Browser(url).fetch })

/** Says the right password of alice, and returns the ticket for the factor. */
export async function ticketOf(server: TestServer): Promise<string> {
  const refused = await server
    .visitor()
    .accounts.login({ username: 'alice', password: PASSWORD })
    .catch((cause: unknown) => cause)
  if (!(refused instanceof ApiError) || refused.code !== 'factor_needed') throw refused
  return refused.next.ticket ?? ''
}
