import { crc32 } from 'node:zlib'
import { z } from 'zod'
import {
  EXPORT_LIMITS,
  EXPORT_MANIFEST,
  EXPORT_VERSION,
  exportSchema,
  type ExportedProject,
  type ExportManifest,
} from '../../contract/export-format'
import { PICTURE_BYTES, SCREENSHOTS_MAX } from '../../contract'
import { readBytes, type ByteSource } from '../../core/byte-source'
import { AppError } from '../../core/errors'
import { parseJson } from '../../core/json'
import { inSlice } from '../../core/time-slices'
import { readStoredZip, RefusedZip, type StoredEntry } from '../../libraries/zip-stream/stored-zip'
import { hasTooManyValues } from './manifest-values'

/** An export whose list of files agrees with its zip. The bytes of files are not verified yet. */
export interface OpenExport {
  manifest: ExportManifest
  entries: ReadonlyMap<string, StoredEntry>
}

/** Throws `invalid_input` with the reason if the zip is not an export as a host makes it. */
export async function readExport(source: ByteSource, size: number): Promise<OpenExport> {
  try {
    const entries = await readStoredZip(source, size, EXPORT_LIMITS.entries)
    const manifest = await parseManifest(await readManifest(source, entries.get(EXPORT_MANIFEST)))
    requireSameEntries(manifest, entries)
    const paths = new Set(manifest.files.map((file) => file.path))
    for (const project of manifest.projects) requireConsistent(project, paths)
    requireUnique(manifest.projects.map(({ slug }) => slug))
    return { manifest, entries }
  } catch (cause) {
    if (cause instanceof RefusedZip)
      throw createRefusal(cause.message, cause.isTooLarge ? SMALLER : undefined)
    throw cause
  }
}

/** What helps against most refusals: the zip was packed again, or is damaged. */
const REMEDY = 'Download the export again, and import it as it is'

const SMALLER = 'Export the projects one by one'

export const createRefusal = (why: string, remedy = REMEDY) =>
  new AppError('invalid_input', `This zip cannot be imported. ${why}. ${remedy}`, 'file_id')

async function readManifest(source: ByteSource, entry: StoredEntry | undefined): Promise<string> {
  if (!entry) throw createRefusal(`It has no ${EXPORT_MANIFEST}, so it is not an export of Slipway`)
  const { offset, size } = entry
  if (size > EXPORT_LIMITS.manifest)
    throw createRefusal(`Its ${EXPORT_MANIFEST} is larger than 32 MB`, SMALLER)

  const bytes = await readBytes(source, { offset, size })
  if (crc32(bytes) !== entry.crc32) throw createRefusal(`Its ${EXPORT_MANIFEST} is damaged`)
  if (hasTooManyValues(bytes))
    throw createRefusal(`Its ${EXPORT_MANIFEST} has too many values`, SMALLER)
  return bytes.toString()
}

async function parseManifest(json: string): Promise<ExportManifest> {
  const value = parseJson(json) as { format?: unknown; version?: unknown } | undefined
  if (value?.format !== 'slipway-export') throw createRefusal(`Its ${EXPORT_MANIFEST} is no export`)
  if (value.version !== EXPORT_VERSION)
    throw createRefusal(
      `It has version ${String(value.version).slice(0, 20)} of the format, and this host reads ` +
        `version ${EXPORT_VERSION}`,
      'Update the older one of both hosts',
    )

  const checked: unknown[] = [value]
  await checkManifests(checked, [])
  // Its schema has checked each part of it.
  return checked[0] as ExportManifest
}

/** Elements of a list that are checked before other requests may run. */
const AT_ONCE = 100

/** Replaces each value by what its schema makes of it. Throws if one is wrong. */
type CheckEach = (values: unknown[], place: readonly PropertyKey[]) => Promise<void>

/**
 * Checks in small pieces, because a manifest may have hundreds of thousands of elements, and stops
 * at the first mistake: zod collects all of them, which takes gigabytes.
 */
function createCheck(schema: z.ZodType): CheckEach {
  if (!(schema instanceof z.ZodObject)) return checkWhole(schema)
  const lists = Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => {
    const list = field instanceof z.ZodDefault ? field.unwrap() : field
    if (!(list instanceof z.ZodArray)) return []
    const unread = list.clone({ ...list.def, element: z.unknown() })
    const shell = field === list ? unread : unread.default([])
    return [{ name, shell, checkEach: createCheck(list.def.element as z.ZodType) }]
  })
  const checkShells = checkWhole(
    schema.extend(Object.fromEntries(lists.map(({ name, shell }) => [name, shell]))),
  )

  return async (values, place) => {
    await checkShells(values, place)
    for (const [index, value] of values.entries())
      for (const { name, checkEach } of lists) {
        const list = (value as Record<string, unknown[]>)[name] ?? []
        if (list.length > 0) await checkEach(list, [...place, index, name])
      }
  }
}

const checkWhole =
  (schema: z.ZodType): CheckEach =>
  async (values, place) => {
    const check = (value: unknown, index: number) => {
      const result = schema.safeParse(value)
      if (result.success) return result.data
      const [issue] = result.error.issues
      const [, ...path] = [...place, index, ...(issue?.path ?? [])]
      throw createRefusal(`Its ${EXPORT_MANIFEST} is wrong at ${path.join('.')}: ${issue?.message}`)
    }
    for (let start = 0; start < values.length; start += AT_ONCE)
      await inSlice(() => {
        const piece = values.slice(start, start + AT_ONCE)
        values.splice(start, piece.length, ...piece.map((value, n) => check(value, start + n)))
      })
  }

const checkManifests = createCheck(exportSchema)

/** Every entry is named once, and every named file is there with its size. */
function requireSameEntries(
  { projects, files, texts }: ExportManifest,
  entries: OpenExport['entries'],
): void {
  const listed = [
    ...files,
    ...projects.flatMap(({ pictures }) => pictures),
    ...attachmentsIn({ projects }),
  ]
  for (const { path, size } of listed) {
    const entry = entries.get(path)
    if (!entry) throw createRefusal(`“${path}” is missing`)
    if (entry.size !== size) throw createRefusal(`“${path}” has another size`)
  }
  for (const path of texts) if (!entries.has(path)) throw createRefusal(`“${path}” is missing`)

  const named = [EXPORT_MANIFEST, ...texts, ...listed.map(({ path }) => path)]
  requireUnique(named)
  const known = new Set(named)
  for (const name of entries.keys())
    if (!known.has(name)) throw createRefusal(`“${name}” is not in its ${EXPORT_MANIFEST}`)
}

/** Lists the files of all reports. */
export const attachmentsIn = ({ projects }: Pick<ExportManifest, 'projects'>) =>
  projects.flatMap(({ reports }) => reports.flatMap(({ files }) => files))

function requireConsistent(project: ExportedProject, paths: ReadonlySet<string>): void {
  const { slug, releases, downloads, pictures, retention } = project
  const versions = new Set(releases.map(({ version }) => version))

  for (const { file, release } of downloads) {
    if (!paths.has(file)) throw createRefusal(`The project ${slug} has a file that is missing`)
    if (release !== null && !versions.has(release))
      throw createRefusal(`The project ${slug} has no release ${release}`)
  }

  requireUnique(downloads.map(({ file }) => file))
  // `v1.0.0` and `1.0.0` name one release.
  requireUnique(releases.map(({ version }) => version.replace(/^v(?=\d)/, '')))
  requireUnique(retention.map((it) => it.channel))

  const kinds = pictures.map(({ kind }) => kind)
  requireUnique(kinds.filter((kind) => kind !== 'screenshot'))
  if (kinds.filter((kind) => kind === 'screenshot').length > SCREENSHOTS_MAX)
    throw createRefusal(`The project ${slug} has more than ${SCREENSHOTS_MAX} screenshots`)
  if (pictures.some(({ size }) => size > PICTURE_BYTES))
    throw createRefusal(`A picture of the project ${slug} is larger than 10 MB`)
}

function requireUnique(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) throw createRefusal(`It names ${name} twice`)
    seen.add(name)
  }
}
