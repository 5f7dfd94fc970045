import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Low, type Adapter } from 'lowdb'
import { z } from 'zod'
import { errorCode, realDisk, replaceFile, type Disk } from './durable-file'

/** How much one caller may ask for. */
const limitsSchema = z.strictObject({
  uploadsPerHour: z.int().min(1).default(100),
  requestsPerHour: z.int().min(1).default(1000),
  /** Failed sign-ins of one account from one address, in 15 minutes. */
  failedSignInsPerAccount: z.int().min(1).default(10),
  /** Failed sign-ins from one address, in 15 minutes. */
  failedSignInsPerAddress: z.int().min(1).default(50),
  /** New accounts from one address. */
  registrationsPerHour: z.int().min(1).default(30),
})

export type Limits = z.infer<typeof limitsSchema>

const settingsSchema = z.strictObject({
  /** `127.0.0.1` for this computer only, `0.0.0.0` for the network. */
  host: z.string().min(1).default('127.0.0.1'),
  /** 0 lets the system choose. */
  port: z.int().min(0).max(65535).default(4780),
  /** How others reach this host, where that differs from its address. */
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  registrationOpen: z.boolean().default(true),
  limits: limitsSchema.prefault({}),
})

export type SettingsData = z.infer<typeof settingsSchema>

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

/** What the host may choose, in `settings.json`, which a person may also edit while Slipway is not running. */
export class Settings {
  #tail: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly db: Low<SettingsData>,
    private readonly path: string,
  ) {}

  static async open(dir: string, disk: Disk = realDisk): Promise<Settings> {
    const path = join(dir, 'settings.json')
    const db = new Low(new DurableJsonFile(path, disk), settingsSchema.parse({}))
    await db.read()
    return new Settings(db, path)
  }

  get(): Readonly<SettingsData> {
    return this.db.data
  }

  /** Resolves once the change is on disk. An invalid change, or one that the disk refuses, changes nothing. */
  update(patch: Partial<SettingsData>): Promise<Readonly<SettingsData>> {
    const run = async () => {
      const data = check({ ...this.db.data, ...patch }, this.path)
      await this.db.adapter.write(data)
      this.db.data = data
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
    throw new Error(`${path} is not valid JSON: ${(cause as Error).message}`, { cause })
  }
}

function check(value: unknown, path: string): SettingsData {
  const result = settingsSchema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path: field, message }) => [...field.map(String), message].join(': '))
  throw new Error(`${path} is not valid: ${problems.join('; ')}`)
}
