import { join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../../core/durable-file'
import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import { Signal } from '../../core/signal'
import { StoredFile } from '../stored-file'

const damagedSchema = z.object({
  /** A sentence for each blob, in the words of `describeDamage`. */
  damaged: z.array(z.object({ blobId: z.string(), problem: z.string() })),
})

export type DamagedBlob = z.infer<typeof damagedSchema>['damaged'][number]

/** Opens the list of damaged blobs in a data folder. It is in no backup. */
export const openDamaged = (
  dataDir: string,
  disk?: Disk,
): StoredFile<z.infer<typeof damagedSchema>> =>
  new StoredFile(damagedSchema, join(dataDir, 'damaged.json'), { onDamage: () => null, disk })

/** What may be wrong with a blob. */
export const DIFFERS = 'its bytes differ from the upload'
export const MISSING = 'its bytes are missing'
export const UNREADABLE = 'its disk cannot read it'
export const wrongSize = (stored: number, size: number): string =>
  `it has ${stored} bytes instead of ${size}`

/** A damaged blob with the sentence about it. */
export const describeDamage = (
  { blobId, name }: { blobId: string; name: string },
  problem: string,
): DamagedBlob => ({ blobId, problem: `${name}: ${problem} (blob ${blobId})` })

/** Returns the blob that such a sentence is about. */
export const blobIn = (sentence: string): string | undefined =>
  / \(blob ([0-9a-f]+)\)$/.exec(sentence)?.[1]

interface Deps {
  dataDir: string
  disk: Disk
  log: Pick<Log, 'error' | 'warn'>
}

/**
 * The blobs whose stored bytes are known to differ from the upload. Downloads refuse them until
 * they are mended. Changes apply at once, also where they cannot be saved.
 */
export class DamagedBlobs {
  readonly #problems = new Map<string, string>()
  /** Sentences by blob. A field, so that a download that asks it runs nothing of this file. */
  readonly problems: ReadonlyMap<string, string> = this.#problems
  readonly #changed = new Signal()
  readonly #saving = new Serial()

  private constructor(
    private readonly file: ReturnType<typeof openDamaged>,
    private readonly log: Deps['log'],
  ) {}

  static async open({ dataDir, disk, log }: Deps): Promise<DamagedBlobs> {
    const file = openDamaged(dataDir, disk)
    const blobs = new DamagedBlobs(file, log)
    const stored = await file.read()
    for (const { blobId, problem } of stored?.damaged ?? []) blobs.#problems.set(blobId, problem)
    return blobs
  }

  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener)
  }

  async add({ blobId, name }: { blobId: string; name: string }, problem: string): Promise<void> {
    const { problem: sentence } = describeDamage({ blobId, name }, problem)
    if (this.#problems.get(blobId) === sentence) return

    const isNew = !this.#problems.has(blobId)
    this.#problems.set(blobId, sentence)
    if (isNew) this.log.error({ blobId, name, problem }, 'a stored file is damaged')
    await this.#save()
  }

  async remove(blobId: string): Promise<void> {
    if (this.#problems.delete(blobId)) await this.#save()
  }

  #save(): Promise<void> {
    this.#changed.emit()
    return this.#saving
      .run(() => {
        const damaged = [...this.#problems].map(([blobId, problem]) => ({ blobId, problem }))
        return this.file.write({ damaged })
      })
      .catch((err: unknown) => this.log.warn({ err }, 'cannot save which files are damaged'))
  }
}
