import type { Rooms } from '../../compose/context'
import type { ExportedProject, ExportedRelease, ExportedReport } from '../../contract/export-format'
import {
  picturesIn,
  type PictureRecord,
  type PostRecord,
  type ProjectRecord,
  type ReleaseRecord,
} from '../../data/records/project-records'
import type { ReportRecord } from '../../data/records/report-records'
import { archiveNames } from '../downloads/archive-names'
import { reportChoicesOf } from '../projects/policy'
import type { ListedFile, ListedRelease, ProjectView } from '../projects/project-view'
import type { ExportFiles } from './export-files'
import { postMarkdown, projectMarkdown, releaseMarkdown, reportMarkdown } from './export-texts'

type Deps = Rooms<'accounts' | 'projects'>

/** Adds a project to an export, and returns what the manifest says of it. */
export function addProject(rooms: Deps, files: ExportFiles, view: ProjectView): ExportedProject {
  const { project } = view
  const { store, posts } = rooms.projects
  const folder = `projects/${project.slug}`
  const updatedAt = store.updatedAt(project)

  files.addText(`${folder}/project.md`, updatedAt, () => projectMarkdown(project))
  const pictures = addPictures(files, folder, picturesIn(project))
  const releases = [...view.releases()].toReversed()
  addReleases(files, folder, view, releases)
  const unreleased = view.files.filter(({ link }) => link.releaseId === null)
  files.add(
    `${folder}/files`,
    unreleased.map(({ file }) => file),
    [],
  )
  const written = posts.ofProject(project.id).toSorted(oldestFirst)
  const news = addPosts(rooms, files, folder, written)

  const versions = new Map(releases.map(({ release }) => [release.id, release.version]))
  return {
    slug: project.slug,
    title: project.title,
    short_description: project.shortDescription,
    description: project.description,
    is_public: project.isPublic,
    project_url: project.projectUrl,
    created_at: project.createdAt,
    updated_at: updatedAt,
    retention: (project.retention ?? []).map((it) => ({ ...it })),
    collaborators: project.collaboratorIds.map((userId) => ({
      username: rooms.accounts.users.nameOf(userId),
      role: project.maintainerIds?.includes(userId) ? 'maintainer' : 'collaborator',
    })),
    pictures,
    releases: releases.map(({ release }) => presentRelease(release)),
    downloads: view.files.toReversed().map((listed) => presentDownload(files, versions, listed)),
    posts: news,
    report_settings: presentChoices(project),
    reports: addReports(rooms, files, folder, project.id),
  }
}

function addPictures(files: ExportFiles, folder: string, pictures: readonly PictureRecord[]) {
  return pictures.map((picture, index) => {
    const { kind, alt, addedAt } = picture
    const name = kind === 'screenshot' ? `screenshot-${index + 1}` : kind
    const path = `${folder}/pictures/${name}.webp`
    files.addPicture(path, picture)
    return { path, size: picture.sizes[0]?.size ?? 0, kind, alt, added_at: addedAt }
  })
}

function addReleases(
  files: ExportFiles,
  folder: string,
  { project }: ProjectView,
  releases: readonly ListedRelease[],
): void {
  const names = archiveNames(releases.map(({ release }) => release.version))

  for (const [index, { release, files: listed }] of releases.entries()) {
    const place = `${folder}/releases/${names[index]}`
    const changedAt = release.updatedAt ?? release.publishedAt ?? release.createdAt
    files.addText(`${place}/release.md`, changedAt, () => releaseMarkdown(project, release))
    files.add(
      place,
      listed.map(({ file }) => file),
      ['release.md'],
    )
  }
}

function addPosts(rooms: Deps, files: ExportFiles, folder: string, posts: readonly PostRecord[]) {
  return posts.map((post, index) => {
    const { content, authorId, createdAt, updatedAt } = post
    const author = rooms.accounts.users.nameOf(authorId)
    const name = `${String(index + 1).padStart(4, '0')}-${createdAt.slice(0, 10)}.md`
    files.addText(`${folder}/news/${name}`, updatedAt, () => postMarkdown(post, author))
    return { author, content, created_at: createdAt, updated_at: updatedAt }
  })
}

function addReports(
  rooms: Deps,
  files: ExportFiles,
  folder: string,
  projectId: string,
): ExportedReport[] {
  const oldest = rooms.projects.reports.ofProject(projectId).toReversed()

  return oldest.map((report, index) => {
    const name = `${String(index + 1).padStart(5, '0')}-${report.createdAt.slice(0, 10)}`
    const place = `${folder}/reports/${name}`
    const exported = presentReport(rooms, report, files.addAttachments(place, report.attachments))
    files.addText(`${place}.md`, report.updatedAt, () => reportMarkdown(exported))
    return exported
  })
}

function presentChoices(project: ProjectRecord): ExportedProject['report_settings'] {
  const { reporters, room, fileDays } = reportChoicesOf(project)
  return { reporters, room, file_days: fileDays }
}

function presentReport(
  { accounts: { users } }: Deps,
  report: ReportRecord,
  paths: readonly string[],
): ExportedReport {
  const { kind, text, device, state, attachments, replies } = report
  return {
    ...{ kind, text, state },
    from: report.from ?? null,
    version: report.version ?? null,
    signature: report.signature ?? null,
    system: device.system ?? null,
    model: device.model ?? null,
    browser: device.browser ?? null,
    language: device.language ?? null,
    fixed_in: report.fixedIn ?? null,
    files: attachments.map(({ filename, size, sha256 }, index) => ({
      path: paths[index] ?? '',
      ...{ filename, size, sha256 },
    })),
    replies: replies.map(({ userId, text: answer, createdAt }) => ({
      author: userId === undefined ? null : users.nameOf(userId),
      text: answer,
      created_at: createdAt,
    })),
    created_at: report.createdAt,
    updated_at: report.updatedAt,
  }
}

const presentRelease = (release: ReleaseRecord): ExportedRelease => ({
  version: release.version,
  channel: release.channel,
  state: release.state,
  notes: release.notes,
  is_kept: release.isKept,
  rollout: release.rollout ?? 100,
  created_at: release.createdAt,
  published_at: release.publishedAt,
  promoted_at: release.promotedAt ?? null,
  updated_at: release.updatedAt ?? null,
  brought_back_at: release.broughtBackAt ?? null,
})

const presentDownload = (
  files: ExportFiles,
  versions: ReadonlyMap<string, string>,
  { link: { version, platform, addedAt, releaseId }, file }: ListedFile,
) => ({
  file: files.pathOf(file),
  version,
  platform,
  release: (releaseId === null ? undefined : versions.get(releaseId)) ?? null,
  added_at: addedAt,
})

const oldestFirst = (a: PostRecord, b: PostRecord): number =>
  `${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1
