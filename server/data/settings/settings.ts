import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Low, type Adapter } from 'lowdb'
import { errorCode, realDisk, replaceFile, type Disk } from '../durable-file'
import { settingsSchema, type SettingsData } from './settings-schema'

/** `settings.json` is not what it should be, and was left as it is; the message says where, for people. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(
    readonly path: string,
    what: string,
  ) {
    super(`${path} ${what}`)
  }
}

/** One small JSON file, replaced as a whole. What a person made of it is never overwritten unread. */
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
    return text === undefined ? null : check(parse(text, this.path), this.path)
  }

  write(data: SettingsData): Promise<void> {
    return replaceFile(this.path, `${JSON.stringify(data, null, 2)}\n`, this.disk)
  }
}

/** Where a data folder has its settings. */
export const settingsPath = (dir: string): string => join(dir, 'settings.json')

/** What the host may choose, in `settings.json`, which a person may also edit while Slipway is not running. */
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

  /** Calls back after every change. Answers how to end that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Resolves once every change that was asked for is on disk, or has failed. */
  async settled(): Promise<void> {
    await this.#tail
  }

  /** Resolves once the change is on disk. An invalid change, or one that the disk refuses, changes nothing. */
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

/** `, line 3`, where the engine tells how far it came. */
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
