import { verify, type KeyObject } from 'node:crypto'
import type { AppUpdater } from 'electron-updater'
import { GenericProvider } from 'electron-updater/out/providers/GenericProvider'

type RuntimeOptions = ConstructorParameters<typeof GenericProvider>[2]

/**
 * A generic feed whose `latest*.yml` needs an Ed25519 signature of its name, a line break and its
 * bytes, base64, in the file `….sig` beside it. Without the name, a signed beta could stand in for
 * a stable version. electron-updater parses the verified text: nothing is fetched twice.
 */
export class SignedFeed extends GenericProvider {
  readonly #publicKey: KeyObject

  constructor(options: Record<string, unknown>, updater: AppUpdater, runtime: RuntimeOptions) {
    super({ provider: 'generic', url: options['url'] as string }, updater, runtime)
    this.#publicKey = options['publicKey'] as KeyObject
  }

  /**
   * Fetches and verifies the channel file, the only request electron-updater makes here. Throws a
   * user-facing error.
   */
  protected override async httpRequest(url: URL): Promise<string> {
    const text = (await super.httpRequest(url)) ?? ''
    const name = url.pathname.split('/').at(-1) ?? ''
    const signature = await this.#fetchSignature(url, name)
    if (
      !verify(
        null,
        Buffer.from(`${name}\n${text}`),
        this.#publicKey,
        Buffer.from(signature, 'base64'),
      )
    ) {
      throw new Error(
        `The signature of ${name} does not match the key in this copy of Slipway, so ` +
          'Slipway ignores the update. It may be ' +
          'forged, or its files are being replaced right now. Try again later, and tell the ' +
          'publisher if this persists.',
      )
    }

    return text
  }

  async #fetchSignature(url: URL, name: string): Promise<string> {
    const beside = new URL(url)
    beside.pathname += '.sig'
    try {
      return (await super.httpRequest(beside)) ?? ''
    } catch (cause) {
      if ((cause as { statusCode?: number }).statusCode !== 404) throw cause
      throw new Error(
        `The feed offers an update without a signature (${name}.sig), so Slipway ignores it. ` +
          'Ask the publisher of the feed to sign it.',
        { cause },
      )
    }
  }
}
