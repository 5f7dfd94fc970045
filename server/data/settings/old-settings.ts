import { z } from 'zod'
import { settingsSchema } from './settings-schema'

/** The groups in files of version 1.0, with what precedes the names of their settings now. */
const GROUPS: Readonly<Record<string, string>> = {
  limits: '',
  desktop: '',
  https: 'https_',
  internet: '',
  nameUpdate: 'name_update_',
  tunnel: 'tunnel_',
}

/** The settings whose names have changed otherwise than by their case, by group. */
const RENAMED: Readonly<Record<string, string>> = {
  name: 'host_name',
  addresses: 'shared_addresses',
  'https.mode': 'https',
  'internet.way': 'internet_way',
  'internet.name': 'internet_name',
  'internet.port': 'internet_port',
  'nameUpdate.way': 'name_update',
}

/**
 * Converts a settings file of an earlier version, with groups and other names. Returns other files
 * unchanged.
 */
export function flattenSettings(value: unknown, group = ''): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, content]: [string, unknown]): [string, unknown][] => {
      const isGroup = Object.hasOwn(GROUPS, name) && typeof content === 'object' && content !== null
      if (isGroup) return Object.entries(flattenSettings(content, name) as object)

      // Restored settings of version 1.0 without this group.
      if (name === 'internet' && content === null) return []

      const path = group === '' ? name : `${group}.${name}`
      const flat = RENAMED[path] ?? `${GROUPS[group] ?? ''}${snakeCase(name)}`
      return [[flat, group === '' ? renameBucket(name, content) : limit(flat, content)]]
    }),
  )
}

const snakeCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The settings of the bucket had other names. */
function renameBucket(name: string, content: unknown): unknown {
  if (name !== 'mirror' || typeof content !== 'object' || content === null) return content
  return Object.fromEntries(
    Object.entries(content).map(([inner, value]) => [snakeCase(inner), value]),
  )
}

/** Version 1.0 had no upper limits. */
function limit(name: string, content: unknown): unknown {
  const field: unknown = Reflect.get(settingsSchema.shape, name)
  const schema = field instanceof z.ZodDefault ? field.unwrap() : field
  return schema instanceof z.ZodNumber && typeof content === 'number'
    ? Math.min(content, schema.maxValue ?? Infinity)
    : content
}
