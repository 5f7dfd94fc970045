import type { File } from '../server/contract/files/files'
import type { Reminded } from '../server/contract/notices'
import type { Project } from '../server/contract/projects/projects'
import type { TesterLink } from '../server/contract/projects/testers'
import type { ListedReport, Report } from '../server/contract/report-schemas'
import { formatFiles, formatSize } from '../server/texts/format'
import { countNotices, listUnreminded, nameTold } from '../server/texts/reminder-texts'
import { describeState } from '../server/texts/report-view'
import { Failure } from './failure'
import type { Host } from './host'
import { readLocalFile } from './local-file'
import { sendChange, withBody } from './releases'

/** Lists the projects that the key can see as a member. */
export async function printProjects(host: Host) {
  const result = await listProjects(host)
  return { result, lines: projectLines(result) }
}

/** Lists the own files. */
export async function printFiles(host: Host) {
  const result = await files(host)
  return { result, lines: fileLines(result) }
}

/** All own files. */
export const files = (host: Host): Promise<File[]> => listFiles(host, '')

function listProjects(host: Host): Promise<Project[]> {
  return allPages(async (offset) => {
    const page = await host.json<{ projects: Project[]; total: number }>(
      `/api/projects/my?offset=${offset}`,
    )
    return { rows: page.projects, total: page.total }
  })
}

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
const projectLines = (list: readonly Project[]): string[] =>
  table(list.map(({ slug, title, total_files }) => [slug, title, formatFiles(total_files)]))

const fileLines = (list: readonly File[]): string[] =>
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

const projectAddress = (project: string) => `/api/projects/${encodeURIComponent(project)}`

const addressOf = (project: string) => `${projectAddress(project)}/reports`

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

interface TesterChoice {
  below?: string | undefined
  preview?: boolean
}

/** Lists the tester links of a project, or mails those below a version. Throws `Failure`. */
export async function runTesters(
  host: Host,
  project: string,
  [what = 'list']: readonly string[],
  { below, preview: isPreview = false }: TesterChoice,
) {
  if (what === 'list') {
    const result = await listTesters(host, project, below)
    return { result, lines: testerLines(result.testers) }
  }

  if (what !== 'notify') throw new Failure('usage', 'Use slipway testers list or notify')
  if (below === undefined)
    throw new Failure('usage', 'Say whom: slipway testers notify --below VERSION')
  const reminded = await remind(host, project, below, isPreview)
  return { result: reminded, lines: remindedLines(reminded, isPreview) }
}

function listTesters(host: Host, project: string, below: string | undefined) {
  const query = new URLSearchParams(below === undefined ? {} : { below })
  return host.json<{ testers: TesterLink[] }>(`${projectAddress(project)}/testers?${query}`)
}

function remind(host: Host, project: string, below: string, isPreview: boolean): Promise<Reminded> {
  const path = `${projectAddress(project)}/reminder`
  return isPreview
    ? host.json<Reminded>(`${path}?${new URLSearchParams({ below })}`)
    : sendChange<Reminded>(host, path, withBody('POST', { below }))
}

const testerLines = (testers: readonly TesterLink[]): string[] =>
  table(
    testers.map(({ tester_id, name, channel, versions, active, last_seen_at }) => [
      tester_id,
      name,
      channel,
      versions
        .map(({ version, platform }) => [version, platform ?? ''].join(' ').trim())
        .join(', '),
      active ? `last seen ${last_seen_at?.slice(0, 10) ?? 'never'}` : 'ended',
    ]),
  )

function remindedLines(reminded: Reminded, isPreview: boolean): string[] {
  const counts = countNotices(reminded)
  const end = isPreview ? 'would be sent' : 'queued'
  const told = counts === '' ? `0 emails ${end}` : `${counts} about ${nameTold(reminded)} ${end}`
  return [told, ...listUnreminded(reminded)]
}
