import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseJson } from '../../core/json'
import { replaceFile } from '../../core/durable-file'
import { settingsPath } from './settings'
import { flattenSettings } from './old-settings'
import { settingsSchema, type SettingsData } from './settings-schema'

/** More rounds of removal than the file has levels. */
const ROUNDS = 8

/** The result of repairing invalid settings. */
export interface Mended {
  keptAs: string
  /**
   * The settings reset to their defaults, such as `uploads_per_hour`; empty: the file was not JSON.
   */
  missing: string[]
}

/**
 * Saves an invalid `settings.json` unchanged as `settings.invalid-<date>.json`, and writes a valid
 * one with its valid settings. Only for a folder without a running host, after confirmation.
 */
export async function mendSettings(dir: string, now: Date): Promise<Mended> {
  const path = settingsPath(dir)
  const bytes = await readFile(path)
  const keptAs = join(
    dirname(path),
    `settings.invalid-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.json`,
  )
  await replaceFile(keptAs, bytes)
  const { data, missing } = validPart(flattenSettings(parseObject(bytes.toString())) as object)
  await replaceFile(path, `${JSON.stringify(data, null, 2)}\n`)
  return { keptAs, missing }
}

function parseObject(text: string): object {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function validPart(value: object): { data: SettingsData; missing: string[] } {
  const missing: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const result = settingsSchema.safeParse(value)
    if (result.success) return { data: result.data, missing: [...new Set(missing)] }

    for (const issue of result.error.issues) {
      const paths =
        issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => [...issue.path, key])
          : [issue.path]
      for (const path of paths) missing.push(remove(value, path).join('.'))
    }
  }

  return { data: settingsSchema.parse({}), missing }
}

/**
 * Removes one setting; for an item of a list the whole list, and for a missing setting its group.
 * Returns the removed path.
 */
function remove(value: object, path: readonly PropertyKey[]): string[] {
  let holder: unknown = value

  const gone: string[] = []
  for (const [index, name] of path.entries()) {
    if (typeof holder !== 'object' || holder === null) break
    if (index > 0 && index === path.length - 1 && !Object.hasOwn(holder, name))
      return remove(value, path.slice(0, -1))
    gone.push(String(name))

    const next: unknown = Reflect.get(holder, name)
    if (index === path.length - 1 || Array.isArray(next)) {
      Reflect.deleteProperty(holder, name)
      break
    }
    holder = next
  }

  return gone
}
