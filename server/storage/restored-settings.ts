import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode, realDisk, replaceFile, syncDir, type Disk } from './durable-file'
import { Settings } from './settings'
import { settingsSchema } from './settings-schema'

const restoredSchema = z.object({
  publicUrl: settingsSchema.shape.publicUrl,
  trustedProxies: settingsSchema.shape.trustedProxies,
  updateFeed: z.string().nullable(),
})

/** The settings of a backup that point elsewhere. They count once a person has accepted them. */
export type RestoredData = z.infer<typeof restoredSchema>

const pathIn = (dir: string) => join(dir, 'restored-settings.json')

/** Takes them out of `settings.json` and keeps them beside it. Answers them; undefined: there are none. */
export async function holdBack(dir: string): Promise<RestoredData | undefined> {
  const settings = await Settings.open(dir)
  const { publicUrl, trustedProxies, desktop } = settings.get()
  const { updateFeed } = desktop
  if (publicUrl === null && trustedProxies.length === 0 && updateFeed === null) return undefined
  const held = { publicUrl, trustedProxies, updateFeed }
  await replaceFile(pathIn(dir), `${JSON.stringify(held, null, 2)}\n`)
  await settings.update({ publicUrl: null, trustedProxies: [], desktop: { ...desktop, updateFeed: null } })
  return held
}

/** What a restore has held back, until the person accepts or discards it. */
export class RestoredSettings {
  private constructor(
    private readonly dir: string,
    private readonly settings: Settings,
    private readonly disk: Disk,
    private held: RestoredData | undefined,
  ) {}

  static async open(dir: string, settings: Settings, disk: Disk = realDisk): Promise<RestoredSettings> {
    return new RestoredSettings(dir, settings, disk, await readHeld(dir))
  }

  /** Undefined: nothing waits. */
  get(): RestoredData | undefined {
    return this.held
  }

  /** Puts them in force, or drops them. Answers what they were. */
  async settle(isAccepted: boolean): Promise<RestoredData | undefined> {
    const { held } = this
    if (held === undefined) return undefined
    const { publicUrl, trustedProxies, updateFeed } = held
    const desktop = { ...this.settings.get().desktop, updateFeed }
    if (isAccepted) await this.settings.update({ publicUrl, trustedProxies, desktop })
    await rm(pathIn(this.dir), { force: true })
    await syncDir(this.dir, this.disk)
    this.held = undefined
    return held
  }
}

/** A file that is damaged holds nothing that could be accepted. */
async function readHeld(dir: string): Promise<RestoredData | undefined> {
  const text = await readFile(pathIn(dir), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  try {
    return text === undefined ? undefined : restoredSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
