import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { Client } from '../../../lib/client/api-client'

/** Only pages that use a passkey load it. */
const load = () => import('@simplewebauthn/browser')

type Options = Record<string, unknown>

/** Why the browser gave no passkey, for people. */
export class PasskeyRefused extends Error {
  override readonly name = 'PasskeyRefused'
}

/** Whether this page may use passkeys: it came from one of these addresses of the host. */
export const worksHere = (origins: readonly string[]): boolean =>
  origins.includes(window.location.origin) && 'PublicKeyCredential' in window

/** Asks the authenticator for a new passkey. Throws PasskeyRefused. */
export async function createPasskey(client: Client): Promise<Options> {
  const { options } = await client.factors.newPasskeyOptions({})
  return ask(async () => {
    const { startRegistration } = await load()
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
    return startRegistration({ optionsJSON })
  })
}

/** Asks the authenticator to sign in. `ticket`: only with passkeys of that account. */
export async function askForPasskey(client: Client, ticket?: string): Promise<Options> {
  const { options } = await client.factors.passkeyOptions({ sign_in_ticket: ticket })
  return ask(async () => {
    const { startAuthentication } = await load()
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
    return startAuthentication({ optionsJSON })
  })
}

async function ask(work: () => Promise<object>): Promise<Options> {
  try {
    return { ...(await work()) }
  } catch (cause) {
    const { name } = cause as Error
    if (name === 'InvalidStateError')
      throw new PasskeyRefused('This device already has a passkey of your account')
    console.error('The browser gave no passkey', cause)
    throw new PasskeyRefused('No passkey was received. Try again, or use another method')
  }
}
