import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { Serial } from '../../core/serial'
import { restrictMode, type Disk } from '../../core/durable-file'
import type { Pair } from '../../libraries/certificates/certificate'
import type { MinisignKey } from '../../libraries/minisign/minisign'
import type { OpenPgpKey } from '../../libraries/openpgp-signing/openpgp-signing'
import { StoredFile } from '../stored-file'
import { RELEASE_KEYS } from './secrets'

/** Each key is made when it is first needed. */
const releaseKeysSchema = z.object({
  /**
   * Signs for apt, rpm-md, pacman and SHA256SUMS. Pages show the stored fingerprint without loading
   * the library.
   */
  openpgp: z.object({ armored: z.string(), fingerprint: z.string() }).optional(),
  /** Signs the manifests of releases. */
  minisign: z.object({ id: z.string().regex(/^[0-9a-f]{16}$/), pem: z.string() }).optional(),
  /** PEM. For the indexes of F-Droid. */
  jar: z.object({ certificate: z.string(), key: z.string() }).optional(),
})
type Stored = z.infer<typeof releaseKeysSchema>

/**
 * Keys count from this date on, which is before every release: a signature that is older than its
 * key is refused, and clocks are corrected.
 */
const SINCE = new Date('2025-01-01T00:00:00Z')
const NAME = 'Slipway release key'

interface Deps {
  dir: string
  disk: Disk
  /** Reports that a key was made. */
  made: (kind: keyof Stored) => void
}

/**
 * The keys that sign the releases of this host. Clients trust them from the time they add a
 * repository. Read or created at the first signature, or soon after a start.
 */
export class ReleaseKeys {
  readonly #file: StoredFile<Stored>
  readonly #changes = new Serial()
  readonly #loads = new Map<string, Promise<unknown>>()

  constructor(private readonly deps: Deps) {
    this.#file = new StoredFile(releaseKeysSchema, join(deps.dir, RELEASE_KEYS), {
      onDamage:
        'Restore it from a backup, or delete it: then everyone has to add the repositories of ' +
        'this host again.',
      disk: deps.disk,
    })
  }

  /** Makes a signature with each existing key, so that no client waits for its library to load. */
  async warmUp(): Promise<void> {
    const stored = await this.#changes.run(() => this.#file.read())
    // OpenPGP.js refuses an empty text.
    if (stored?.openpgp) await (await this.openpgp()).signText(NAME, SINCE)
    if (!stored?.jar) return
    const { signJar } = await import('../../libraries/jar-signing/jar-signing')
    signJar(await this.jar(), [])
  }

  openpgp(): Promise<OpenPgpKey> {
    return this.#once('openpgp', async () => {
      const { OpenPgpKey: Key } = await import('../../libraries/openpgp-signing/openpgp-signing')
      return Key.open((await this.#storedOpenPgp()).armored)
    })
  }

  /** 40 hexadecimal digits in upper case. */
  openpgpFingerprint(): Promise<string> {
    return this.#once('fingerprint', async () => (await this.#storedOpenPgp()).fingerprint)
  }

  minisign(): Promise<MinisignKey> {
    return this.#once('minisign', async () => {
      const { makeMinisignKey } = await import('../../libraries/minisign/minisign')
      return this.#stored('minisign', makeMinisignKey)
    })
  }

  /** Fingerprints of the existing keys. Throws if the file is damaged. */
  async fingerprints(): Promise<{ openpgp: string | undefined; jar: string | undefined }> {
    const stored = await this.#changes.run(() => this.#file.read())
    return { openpgp: stored?.openpgp?.fingerprint, jar: stored?.jar && jarFingerprint(stored.jar) }
  }

  /** The fingerprint for F-Droid; undefined while the key is being made, which this begins. */
  async jarFingerprint(): Promise<string | undefined> {
    const { jar } = await this.fingerprints()
    if (jar === undefined) this.jar().catch(() => undefined)
    return jar
  }

  /** Takes seconds the first time. */
  jar(): Promise<Pair> {
    return this.#once('jar', async () => {
      const { makeJarSigner } = await import('../../libraries/jar-signing/jar-signing')
      return this.#stored('jar', () => makeJarSigner(NAME, SINCE))
    })
  }

  #storedOpenPgp() {
    return this.#stored('openpgp', async () => {
      const { makeOpenPgpKey } = await import('../../libraries/openpgp-signing/openpgp-signing')
      return makeOpenPgpKey(NAME, SINCE)
    })
  }

  /** A failure is forgotten, so that the next call tries again. */
  #once<Key>(kind: keyof Stored | 'fingerprint', load: () => Promise<Key>): Promise<Key> {
    const earlier = this.#loads.get(kind) as Promise<Key> | undefined
    if (earlier) return earlier
    const key = load()
    this.#loads.set(kind, key)
    key.catch(() => this.#loads.delete(kind))
    return key
  }

  #stored<Kind extends keyof Stored>(
    kind: Kind,
    make: () => Promise<NonNullable<Stored[Kind]>> | NonNullable<Stored[Kind]>,
  ): Promise<NonNullable<Stored[Kind]>> {
    return this.#changes.run(async () => {
      const stored = (await this.#file.read()) ?? {}

      const present = stored[kind]
      if (present !== undefined) {
        await restrictMode(this.#file.path, 0o600)
        return present
      }

      const key = await make()
      // Write the key before its first use: clients must not trust a key that a power cut could
      // lose.
      await this.#file.write({ ...stored, [kind]: key })
      this.deps.made(kind)
      return key
    })
  }
}

/** 64 hexadecimal digits in upper case. */
export const jarFingerprint = ({ certificate }: Pick<Pair, 'certificate'>): string =>
  new X509Certificate(certificate).fingerprint256.replaceAll(':', '')
