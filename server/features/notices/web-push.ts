import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  sign,
  type ECDH,
  type KeyObject,
} from 'node:crypto'

/*
 * Messages to browsers, as their push services take them: encrypted for the browser (RFC 8291), in
 * one record (RFC 8188), and signed by this host (VAPID, RFC 8292). See
 * docs/decisions/0143-push-to-browsers-without-a-library.md.
 */

/** P-256, in the words of OpenSSL, and the number of its points. */
const CURVE = 'prime256v1'
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** How long a token of this host is valid, in s. Services take at most a day. */
const TOKEN_S = 12 * 3600
const RECORD_BYTES = 4096
const TAG_BYTES = 16
/** Ends the text in its last record. */
const LAST = 2

/** The keys of a browser, in base64url. */
export interface BrowserKeys {
  p256dh: string
  auth: string
}

/** What is random in a message. */
interface Chance {
  salt: Buffer
  /** A key pair for this message only. */
  pair: ECDH
}

/** Whether a key of a browser is a point of the curve. */
export function isOnCurve({ p256dh }: BrowserKeys): boolean {
  try {
    newPair().computeSecret(p256dh, 'base64url')
    return true
  } catch {
    return false
  }
}

/**
 * Encrypts a text for a browser, padded to a length that tells nothing of the text (RFC 8291 §3.4).
 */
export function encryptPush(
  text: Buffer,
  { p256dh, auth }: BrowserKeys,
  paddedTo: number,
  { salt, pair }: Chance = { salt: randomBytes(16), pair: newPair() },
): Buffer {
  const [browser, own] = [Buffer.from(p256dh, 'base64url'), pair.getPublicKey()]
  const derive = (key: Uint8Array, by: Uint8Array, info: string | Buffer, length: number) =>
    new Uint8Array(hkdfSync('sha256', key, by, info, length))

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, own])
  const secret = derive(pair.computeSecret(browser), Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)

  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_BYTES)
  header[4] = own.length
  const padding = Buffer.alloc(Math.max(0, paddedTo - text.length))

  const cipher = createCipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES })
  const encrypted = [cipher.update(Buffer.concat([text, Buffer.of(LAST), padding])), cipher.final()]
  return Buffer.concat([salt, header, own, ...encrypted, cipher.getAuthTag()])
}

/** By which a push service knows this host, and a browser its messages. */
export interface Vapid {
  /** In base64url, for `PushManager.subscribe()`. */
  publicKey: string
  privateKey: KeyObject
}

/**
 * Derives the key of this host from the oldest of its session keys, so that it is wherever
 * these are, and one that is added in front changes nothing for browsers.
 */
export function deriveVapid(sessionKeys: readonly string[]): Vapid {
  // Longer than the order, so that the remainder is as good as uniform (FIPS 186-5 §A.2.1).
  const bytes = hkdfSync('sha256', sessionKeys.at(-1) ?? '', '', 'slipway web push', 48)
  const number = (BigInt(`0x${Buffer.from(bytes).toString('hex')}`) % (ORDER - 1n)) + 1n
  const secret = Buffer.from(number.toString(16).padStart(64, '0'), 'hex')

  const pair = createECDH(CURVE)
  pair.setPrivateKey(secret)
  const point = pair.getPublicKey()
  const encode = (bytes: Buffer) => bytes.toString('base64url')
  const [x, y] = [encode(point.subarray(1, 33)), encode(point.subarray(33))]
  const key = { kty: 'EC', crv: 'P-256', x, y, d: encode(secret) }
  return {
    publicKey: encode(point),
    privateKey: createPrivateKey({ format: 'jwk', key }),
  }
}

/** The header by which a push service knows this host. `contact`: whom its people could ask. */
export function vapidHeader(
  { publicKey, privateKey }: Vapid,
  { endpoint, contact, now }: { endpoint: URL; contact: string; now: Date },
): string {
  const exp = Math.floor(now.getTime() / 1000) + TOKEN_S
  const text = [
    { typ: 'JWT', alg: 'ES256' },
    { aud: endpoint.origin, exp, sub: contact },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')

  const signature = sign('sha256', Buffer.from(text), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`
}

function newPair(): ECDH {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  return pair
}
