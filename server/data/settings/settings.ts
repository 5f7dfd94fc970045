import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Low, type Adapter } from 'lowdb'
import { errorCode, realDisk, replaceFile, type Disk } from '../../core/durable-file'
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

/** A small JSON file, replaced atomically. An edited file is never overwritten unread. */
class DurableJsonFile implements Adapter<SettingsData> {
  constructor(
    private readonly path: string,
    private readonly disk: Disk,
  ) {}

  async read(): Promise<SettingsData | null> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    })
    return text === undefined ? null : check(flattenSettings(parse(text, this.path)), this.path)
  }

  write(data: SettingsData): Promise<void> {
    return replaceFile(this.path, `${JSON.stringify(data, null, 2)}\n`, this.disk)
  }
}

/** The settings file of a data folder. */
export const settingsPath = (dir: string): string => join(dir, 'settings.json')

/** The settings of the host in `settings.json`, which people may edit while Slipway is not running. */
export class Settings {
  #tail: Promise<unknown> = Promise.resolve()
  readonly #listeners = new Set<() => void>()

  private constructor(
    private readonly db: Low<SettingsData>,
    private readonly path: string,
  ) {}

  static async open(dir: string, disk: Disk = realDisk): Promise<Settings> {
    const path = settingsPath(dir)
    const db = new Low(new DurableJsonFile(path, disk), settingsSchema.parse({}))
    await db.read()
    return new Settings(db, path)
  }

  get(): Readonly<SettingsData> {
    return this.db.data
  }

  /** Calls back after every change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Resolves once all requested changes are on disk or have failed. */
  async settled(): Promise<void> {
    await this.#tail
  }

  /** Resolves once the change is on disk. An invalid change, or a disk failure, changes nothing. */
  update(patch: Partial<SettingsData>): Promise<Readonly<SettingsData>> {
    const run = async () => {
      const data = check({ ...this.db.data, ...patch }, this.path)
      await this.db.adapter.write(data)
      this.db.data = data
      for (const listener of this.#listeners) listener()
      return data
    }
    const updated = this.#tail.then(run)
    this.#tail = updated.catch(() => undefined)
    return updated
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SettingsError(path, `is not valid JSON${placeOf(cause as Error, text)}: ${(cause as Error).message}`)
  }
}

/** `, line 3`, if the engine reports the position. */
function placeOf({ message }: Error, text: string): string {
  const isCutShort = /end of JSON|Unterminated/.test(message)
  const position = isCutShort ? text.length : Number(/at position (\d+)/.exec(message)?.[1] ?? NaN)
  return Number.isNaN(position) ? '' : `, line ${text.slice(0, position).split('\n').length}`
}

function check(value: unknown, path: string): SettingsData {
  const result = settingsSchema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path: field, message }) => [...field.map(String), message].join(': '))
  throw new SettingsError(path, `is not valid: ${problems.join('; ')}`)
}
