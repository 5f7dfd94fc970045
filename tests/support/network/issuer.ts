import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { aReceiver } from '../webhooks/receiver'

/** An issuer of OpenID Connect tokens on this computer. */
export async function anIssuer() {
  const makeKey = async (kid: string) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } }
  }
  const state = { keys: [await makeKey('key 1')], isDown: false }
  let made = 1

  const receiver = await aReceiver(({ path }) => {
    if (state.isDown) return { status: 503 }
    const document = path.endsWith('/openid-configuration')
      ? { issuer: receiver.url, jwks_uri: `${receiver.url}/keys` }
      : { keys: state.keys.map(({ jwk }) => jwk) }
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) }
  })

  return {
    url: receiver.url,
    got: receiver.got,
    state,
    /** Replaces the published keys by a new one with a new key ID. */
    rotate: async () => void (state.keys = [await makeKey(`key ${++made}`)]),
    /** Signs claims with the newest key, valid for five minutes unless they say otherwise. */
    sign: async (claims: JWTPayload, now: Date, by = state.keys.at(-1)!) =>
      new SignJWT({
        iss: receiver.url,
        iat: Math.floor(now.getTime() / 1000),
        exp: Math.floor(now.getTime() / 1000) + 300,
        jti: crypto.randomUUID(),
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: by.kid })
        .sign(by.privateKey),
  }
}
