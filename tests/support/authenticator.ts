import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** What a browser would have said of the page, and the authenticator of the person. */
interface Said {
  origin?: string
  /** As if the authenticator was copied, or counts in its own way. */
  counter?: number
  isVerified?: boolean
  userHandle?: string
}

type Options = Record<string, unknown>

/** One passkey in software (WebAuthn §6), for a page at `origin`. */
export class Authenticator {
  readonly id = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #counter = 0
  #userHandle

  /** `userId`: of the account whose passkey it claims to be, before it made one. */
  constructor(
    private readonly origin: string,
    userId = '',
  ) {
    this.#userHandle = Buffer.from(userId).toString('base64url')
  }

  /** Answers `navigator.credentials.create`. */
  create(options: Options, said: Said = {}) {
    const { user } = options as { user: { id: string } }
    this.#userHandle = user.id
    const length = Buffer.from([this.id.length >> 8, this.id.length & 255])
    const credential = [Buffer.alloc(16), length, this.id, coseOf(this.#keys.publicKey)]
    const authData = Buffer.concat([this.#header(0x40, said), ...credential])

    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options, said),
      attestationObject: Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
        Buffer.from([authData.length >> 8, authData.length & 255]),
        authData,
      ]),
    })
  }

  /** Answers `navigator.credentials.get`. */
  get(options: Options, said: Said = {}) {
    const clientDataJSON = this.#clientData('webauthn.get', options, said)
    const authenticatorData = this.#header(0, said)
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
    const signature = sign('sha256', signed, this.#keys.privateKey)
    const userHandle = Buffer.from(said.userHandle ?? this.#userHandle, 'base64url')
    return this.#answer({ clientDataJSON, authenticatorData, signature, userHandle })
  }

  #answer(response: Record<string, Buffer>) {
    const id = this.id.toString('base64url')
    const encoded = Object.entries(response).map(([name, bytes]) => [
      name,
      bytes.toString('base64url'),
    ])
    return {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: Object.fromEntries(encoded) as Record<string, string>,
    }
  }

  #clientData(type: string, { challenge }: Options, { origin = this.origin }: Said) {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  /** The hash of the host's name, the flags and the counter. */
  #header(flags: number, { counter = ++this.#counter, isVerified = true }: Said) {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    const name = sha256(Buffer.from(new URL(this.origin).hostname))
    return Buffer.concat([name, Buffer.from([flags | (isVerified ? 5 : 1)]), counted])
  }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** A public key in COSE form (RFC 9053 §7.1.1): ES256. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}
