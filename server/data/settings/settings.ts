import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Low } from 'lowdb'
import { z } from 'zod'
import { Serial } from '../../core/serial'
import { Signal } from '../../core/signal'
import type { Disk } from '../../core/durable-file'
import { StoredFile } from '../stored-file'
import { flattenSettings } from './old-settings'
import { settingsSchema, type SettingsData } from './settings-schema'

/** `settings.json` is invalid and was left unchanged; the message names the place. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(
    readonly path: string,
    what: string,
  ) {
    super(`${path} ${what}`)
  }
}

/** The settings file of a data folder. */
export const settingsPath = (dir: string): string => join(dir, 'settings.json')

/** Reads files of all versions. An edited file is never overwritten unread. */
export const storedSchema = z.preprocess((value) => flattenSettings(value), settingsSchema)

/**
 * The settings of the host in `settings.json`, which people may edit while Slipway is not running.
 */
export class Settings {
  readonly #updates = new Serial()
  readonly #changed = new Signal()

  private constructor(
    private readonly db: Low<SettingsData>,
    private readonly path: string,
  ) {}

  static async open(dir: string, disk?: Disk): Promise<Settings> {
    const path = settingsPath(dir)

    const onDamage = (cause: Error, text: string) => {
      throw new SettingsError(path, describeProblem(cause, text))
    }
    const file = new StoredFile(storedSchema, path, { onDamage, disk })
    const db = new Low<SettingsData>(file, settingsSchema.parse({}))
    await db.read()
    return new Settings(db, path)
  }

  get(): Readonly<SettingsData> {
    return this.db.data
  }

  /** Calls back after every change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener)
  }

  /**
   * Reads the file again, which another process may have changed. A damaged one is left
   * for its next change.
   */
  async reread(): Promise<void> {
    const data = await this.db.adapter.read().catch(() => null)
    if (data === null || isDeepStrictEqual(data, this.db.data)) return
    this.db.data = data
    this.#changed.emit()
  }

  /** Resolves once all requested changes are on disk or have failed. */
  async settled(): Promise<void> {
    await this.#updates.idle()
  }

  /** Resolves once the change is on disk. An invalid change, or a disk failure, changes nothing. */
  update(patch: Partial<SettingsData>): Promise<Readonly<SettingsData>> {
    return this.#updates.run(async () => {
      const { data, error } = settingsSchema.safeParse({ ...this.db.data, ...patch })
      if (error) throw new SettingsError(this.path, describeProblem(error))
      await this.db.adapter.write(data)
      this.db.data = data
      this.#changed.emit()
      return data
    })
  }
}

function describeProblem(cause: Error, text = ''): string {
  if (!(cause instanceof z.ZodError))
    return `is not valid JSON${describePosition(cause, text)}: ${cause.message}`
  const problems = cause.issues.map(({ path: field, message }) =>
    [...field.map(String), message].join(': '),
  )
  return `is not valid: ${problems.join('; ')}`
}

/** `, line 3`, if the engine reports the position. */
function describePosition({ message }: Error, text: string): string {
  const isCutShort = /end of JSON|Unterminated/.test(message)
  const position = isCutShort ? text.length : Number(/at position (\d+)/.exec(message)?.[1] ?? NaN)
  return Number.isNaN(position) ? '' : `, line ${text.slice(0, position).split('\n').length}`
}
