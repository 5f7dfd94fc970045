import { isDeepStrictEqual } from 'node:util'
import type { BucketChoice } from '../../contract/host/bucket'
import { AppError } from '../../core/errors'
import { Serial } from '../../core/serial'
import { Signal } from '../../core/signal'
import type { Disk } from '../../core/durable-file'
import { changeSecrets, readSecrets, type Secrets } from '../../data/settings/secrets'
import type { Settings } from '../../data/settings/settings'
import type { BucketKeys, BucketPlace } from '../../data/bucket/bucket-choice'
import type { TriedStep } from '../../data/bucket/try-bucket'
import type { BucketSettings } from '../../data/settings/settings-schema'

/** A bucket with its keys; undefined keys: missing, as after restoring a backup. */
export interface ConfiguredBucket extends BucketSettings {
  keys: BucketKeys | undefined
}

interface Deps {
  dataDir: string
  disk: Disk
  settings: Settings
  secrets: Secrets
  /** From `--bucket-config`: decides for this run, and is not stored. */
  override?: ConfiguredBucket | undefined
  /** Throws AppError if the copies would be among other objects. Undefined: there are none. */
  requireApart?: ((place: BucketPlace) => void) | undefined
}

const overridden = () =>
  new AppError(
    'forbidden',
    'This host was started with --bucket-config. Change that file and restart the host.',
  )

/**
 * Which bucket the host uses: `settings.json` and the keys in `secrets.json`, or the file of
 * `--bucket-config`.
 */
export class BucketConfig {
  readonly #changed = new Signal()
  readonly #changes = new Serial()
  #emitted: ConfiguredBucket | undefined
  #isChanging = false
  #override: ConfiguredBucket | undefined

  constructor(private readonly deps: Deps) {
    this.#override = deps.override
    if (deps.override !== undefined) deps.requireApart?.(deps.override)
    this.#emitted = this.get()
    deps.settings.onChange(() => {
      if (!this.#isChanging) this.#emit()
    })
  }

  get isOverridden(): boolean {
    return this.#override !== undefined
  }

  /** Undefined: no bucket is set up. */
  get(): ConfiguredBucket | undefined {
    if (this.#override !== undefined) return this.#override
    const { mirror } = this.deps.settings.get()
    return mirror === null ? undefined : { ...mirror, keys: this.#keysFor(mirror.endpoint) }
  }

  /**
   * Calls back after every change, also by accepting the settings of a backup. Returns a function
   * that unsubscribes.
   */
  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener)
  }

  /**
   * Stores the bucket and switches it on. Without keys the stored ones stay. Throws `invalid_input`
   * if there are none for this endpoint: the keys of one store are never sent to another. Throws
   * `forbidden` if the command line decides.
   */
  setUp(bucket: BucketChoice, keys: BucketKeys | undefined): Promise<void> {
    return this.#changeBoth(async () => {
      if (this.isOverridden) throw overridden()
      this.deps.requireApart?.(bucket)
      this.requireKeys(bucket.endpoint, keys)
      const { settings } = this.deps
      await settings.update({ mirror: { ...bucket, use: 'on' } })
      if (keys !== undefined) await this.#store({ endpoint: bucket.endpoint, ...keys })
    })
  }

  /**
   * The given keys or else the stored ones. Throws `invalid_input` if there are none for this
   * endpoint.
   */
  requireKeys(endpoint: string, newKeys: BucketKeys | undefined): BucketKeys {
    const keys = newKeys ?? this.#keysFor(endpoint)
    if (keys !== undefined) return keys
    const isElsewhere = this.deps.secrets.mirrorKeys !== undefined
    const why = isElsewhere
      ? 'Enter the keys again: the stored ones are for another endpoint'
      : 'Enter the access key ID'
    throw new AppError('invalid_input', why, 'access_key_id')
  }

  /**
   * `removing`: copies are still being deleted, so the keys stay. `off`: forgets the keys. What
   * `--bucket-config` says is switched off for this run only.
   */
  switchOff(use: 'removing' | 'off'): Promise<void> {
    return this.#changeBoth(async () => {
      if (this.#override !== undefined) {
        this.#override = { ...this.#override, use }
        return
      }
      const { settings, secrets } = this.deps
      const { mirror } = settings.get()
      if (mirror !== null) await settings.update({ mirror: { ...mirror, use } })
      if (use === 'off' && secrets.mirrorKeys !== undefined) await this.#store(undefined)
    })
  }

  /** Tries each kind of request with a small object. Without keys there are no steps. */
  async tryBucket(): Promise<TriedStep[]> {
    const now = this.get()
    if (now?.keys === undefined) return []
    const { tryBucket } = await import('../../data/bucket/try-bucket')
    return tryBucket(now, now.keys)
  }

  /** Reads the keys again, which another process may have changed. */
  async rereadKeys(): Promise<void> {
    const { dataDir, secrets } = this.deps
    const stored = await readSecrets(dataDir).catch(() => undefined)
    if (stored === undefined || isDeepStrictEqual(stored.mirrorKeys, secrets.mirrorKeys)) return
    Object.assign(secrets, { mirrorKeys: stored.mirrorKeys })
    this.#emit()
  }

  #keysFor(endpoint: string): BucketKeys | undefined {
    const override = this.#override
    if (override !== undefined) return override.endpoint === endpoint ? override.keys : undefined
    const { mirrorKeys } = this.deps.secrets
    if (mirrorKeys?.endpoint !== endpoint) return undefined
    const { accessKeyId, secretAccessKey } = mirrorKeys
    return { accessKeyId, secretAccessKey }
  }

  #store(mirrorKeys: Secrets['mirrorKeys']): Promise<void> {
    const { dataDir, secrets, disk } = this.deps
    return changeSecrets(dataDir, secrets, { mirrorKeys }, disk)
  }

  /** Changes settings and keys together: listeners never see one without the other. */
  #changeBoth(change: () => Promise<void>): Promise<void> {
    return this.#changes.run(async () => {
      this.#isChanging = true
      try {
        await change()
      } finally {
        this.#isChanging = false
        this.#emit()
      }
    })
  }

  #emit(): void {
    const now = this.get()
    if (isDeepStrictEqual(now, this.#emitted)) return
    this.#emitted = now
    this.#changed.emit()
  }
}
