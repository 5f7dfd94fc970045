import type { File } from '../server/contract/files/files'
import type { Project } from '../server/contract/projects/projects'
import type { ListedReport, Report } from '../server/contract/report-schemas'
import { formatFiles, formatSize } from '../server/texts/format'
import { describeState } from '../server/texts/report-view'
import { Failure } from './failure'
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

interface ReportFilters {
  state?: string | undefined
  kind?: string | undefined
  version?: string | undefined
  signature?: string | undefined
}

/** Lists the reports of a project, or shows one. Throws `Failure`. */
export async function printReports(
  host: Host,
  project: string,
  [what = 'list', id = '']: readonly string[],
  filters: ReportFilters,
) {
  if (what === 'show') {
    const report = await showReport(host, project, id)
    return { result: { report }, lines: wholeReportLines(report) }
  }

  if (what !== 'list') throw new Failure('usage', 'Use slipway reports list or show ID')
  const reports = await listReports(host, project, filters)
  return { result: { reports }, lines: reportLines(reports) }
}

/** The reports of a project that match, newest first; those of one signature as one. */
function listReports(
  host: Host,
  project: string,
  { state, kind, version, signature }: ReportFilters,
): Promise<ListedReport[]> {
  const filters = Object.entries({ state, kind, version, signature }).filter(
    (it): it is [string, string] => it[1] !== undefined,
  )

  return allPages(async (offset) => {
    const query = new URLSearchParams([...filters, ['offset', String(offset)]])
    const page = await host.json<{ reports: ListedReport[]; total: number }>(
      `${addressOf(project)}?${query}`,
    )
    return { rows: page.reports, total: page.total }
  })
}

/** One report with its answers. Throws `Failure`. */
async function showReport(host: Host, project: string, id: string): Promise<Report> {
  if (id === '') throw new Failure('usage', 'Say which report: slipway reports show ID')
  const { report } = await host.json<{ report: Report }>(
    `${addressOf(project)}/${encodeURIComponent(id)}`,
  )
  return report
}

const addressOf = (project: string) => `/api/projects/${encodeURIComponent(project)}/reports`

/** The lines that people read. */
const reportLines = (reports: readonly ListedReport[]): string[] =>
  table(
    reports.map(({ report_id, kind, state, fixed_in, version, group, beginning }) => [
      report_id,
      kind,
      describeState(state, fixed_in),
      version ?? '-',
      group && group.reports > 1 ? `${group.reports} times` : '',
      beginning,
    ]),
  )

function wholeReportLines(report: Report): string[] {
  const { kind, state, fixed_in, version, device, attachments, replies } = report
  const from = report.from ?? report.username ?? report.tester ?? 'A visitor'
  const facts = [
    ...[kind, describeState(state, fixed_in), version, from],
    ...[device.model, device.system, report.created_at],
  ]

  return [
    facts.filter((fact) => fact !== null).join(' · '),
    ...(report.signature === null ? [] : [report.signature]),
    '',
    ...report.text.split('\n'),
    ...attachments.map(({ filename }) => `File: ${filename}`),
    ...replies.flatMap(({ username, text }) => ['', `${username ?? from}:`, ...text.split('\n')]),
  ]
}
