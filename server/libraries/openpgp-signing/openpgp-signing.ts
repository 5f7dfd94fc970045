import type * as OpenPgp from 'openpgp'

/** A signature contains no random bytes: equal content and date give equal bytes. */
const CONFIG = { nonDeterministicSignaturesViaNotation: false }

/** A key that signs. */
export class OpenPgpKey {
  private constructor(
    private readonly library: typeof OpenPgp,
    private readonly key: OpenPgp.PrivateKey,
  ) {}

  /** Opens an armored private key without a passphrase. Throws if the text is no such key. */
  static async open(armoredKey: string): Promise<OpenPgpKey> {
    const library = await import('openpgp')
    return new OpenPgpKey(library, await library.readPrivateKey({ armoredKey }))
  }

  /** The public half: as text, and as the bytes that `gpgv --keyring` wants. */
  get publicKey(): { armored: string; binary: Buffer } {
    const half = this.key.toPublic()
    return { armored: half.armor().replaceAll('\r\n', '\n'), binary: Buffer.from(half.write()) }
  }

  /** Signs a text in clear. Blanks at the ends of lines are lost. */
  async signText(text: string, date: Date): Promise<string> {
    const message = await this.library.createCleartextMessage({ text })
    const signed: unknown = await this.library.sign({
      message,
      signingKeys: this.key,
      date,
      config: CONFIG,
    })
    return lines(signed)
  }

  /** Returns a detached signature, armored. */
  async signDetached(content: string | Buffer, date: Date): Promise<string> {
    const signature: unknown = await this.library.sign({
      ...(await this.#detached(content, date)),
      format: 'armored',
    })
    return lines(signature)
  }

  /** Returns a detached signature, as bytes. */
  async signBinary(content: string | Buffer, date: Date): Promise<Buffer> {
    const signature: unknown = await this.library.sign({
      ...(await this.#detached(content, date)),
      format: 'binary',
    })
    return Buffer.from(signature as Uint8Array)
  }

  async #detached(content: string | Buffer, date: Date) {
    const message = await this.library.createMessage({ binary: Buffer.from(content) })
    return { message, signingKeys: this.key, date, detached: true, config: CONFIG } as const
  }
}

/** Its types need another package, and are not known here. */
const lines = (armored: unknown) => String(armored).replaceAll('\r\n', '\n')

/**
 * Makes a private key, armored. `date` should be long ago: signatures that are older than their key
 * are refused, as after a clock was corrected.
 */
export async function makeOpenPgpKey(
  name: string,
  date: Date,
): Promise<{ armored: string; fingerprint: string }> {
  const { generateKey } = await import('openpgp')
  const { privateKey } = await generateKey({
    type: 'ecc',
    curve: 'ed25519Legacy',
    userIDs: [{ name }],
    subkeys: [],
    date,
    format: 'object',
    config: CONFIG,
  })

  return { armored: privateKey.armor(), fingerprint: privateKey.getFingerprint().toUpperCase() }
}
