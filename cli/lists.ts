import type { File } from '../server/contract/files/files'
import type { Project } from '../server/contract/projects/projects'
import { formatFiles, formatSize } from '../server/texts/format'
import type { Host } from './host'
import { readLocalFile } from './local-file'

/** All projects that the key can see as a member. */
export async function projects(host: Host): Promise<Project[]> {
  return allPages(async (offset) => {
    const page = await host.json<{ projects: Project[]; total: number }>(
      `/api/projects/my?offset=${offset}`,
    )
    return { rows: page.projects, total: page.total }
  })
}

/** All own files. */
export const files = (host: Host): Promise<File[]> => listFiles(host, '')

/** What people have sent to file requests, newest first. */
export const receivedFiles = (host: Host): Promise<File[]> => listFiles(host, 'received=true&')

async function listFiles(host: Host, filter: string): Promise<File[]> {
  return allPages(async (offset) => {
    const page = await host.json<{ files: File[]; total: number }>(
      `/api/files/my-files?${filter}offset=${offset}`,
    )
    return { rows: page.files, total: page.total }
  })
}

/** Ends at the total of the first page, or at a page that repeats the last one. */
async function allPages<T>(
  read: (offset: number) => Promise<{ rows: T[]; total: number }>,
): Promise<T[]> {
  const all: T[] = []
  let most = Infinity
  let before = ''

  for (;;) {
    const { rows, total } = await read(all.length)
    most = Math.min(most, total)
    const page = JSON.stringify(rows)
    if (rows.length === 0 || page === before) return all
    before = page
    all.push(...rows)
    if (all.length >= most) return all.slice(0, most)
  }
}

/** The lines that people read. */
export const projectLines = (list: readonly Project[]): string[] =>
  table(list.map(({ slug, title, total_files }) => [slug, title, formatFiles(total_files)]))

export const fileLines = (list: readonly File[]): string[] =>
  table(
    list.map(({ filename, version, size, visibility }) => [
      filename,
      version ?? '-',
      formatSize(size),
      visibility,
    ]),
  )

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** One local file compared with the project. */
export interface Verified {
  filename: string
  sha256: string
  result: 'same' | 'different' | 'missing'
}

/** Compares local files with those of a project by SHA-256. */
export async function verify(
  host: Host,
  paths: readonly string[],
  name: string,
): Promise<Verified[]> {
  const { project } = await host.json<{ project: Project }>(
    `/api/projects/${encodeURIComponent(name)}`,
  )
  const verified: Verified[] = []
  for (const path of paths) {
    const { filename, sha256 } = await readLocalFile(path)
    const isSame = project.downloads.some((it) => it.sha256 === sha256)
    const isNamed = project.downloads.some((it) => it.filename === filename)
    verified.push({ filename, sha256, result: isSame ? 'same' : isNamed ? 'different' : 'missing' })
  }

  return verified
}
