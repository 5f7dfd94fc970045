import { REPORT_ROOM } from '../../contract'
import type {
  ExportedFile,
  ExportedPost,
  ExportedProject,
  ExportedRelease,
  ExportedReport,
  ExportManifest,
} from '../../contract/export-format'
import { hashOfToken, newLinkToken } from '../../access/link-token'
import type { Sources } from '../../core/clock'
import { releaseId } from '../../data/library/migrations/releases-from-links'
import type { FileRecord } from '../../data/records/file-records'
import {
  contentBytes,
  notesBytes,
  pictureBytes,
  textBytes,
  type LinkRecord,
  type PictureRecord,
  type PostRecord,
  type ProjectRecord,
  type ReleaseRecord,
} from '../../data/records/project-records'
import {
  attachmentBytes,
  reportTextBytes,
  type AttachmentRecord,
  type ReportRecord,
} from '../../data/records/report-records'
import type { PublishedFile } from '../files/publish'
import type { NewPicture } from '../pictures/picture-store'
import { linkId } from '../projects/link-store'

/** The bytes of an export that are on disk, by their paths in the zip. */
export interface Brought {
  files: Map<string, PublishedFile>
  pictures: Map<string, Omit<NewPicture, 'alt'>>
  /** Files of reports. */
  attachments: Map<string, AttachmentRecord>
}

/** The records of an export for its new owner, with new ids and the dates of the export. */
export interface ImportedRecords {
  projects: ProjectRecord[]
  files: FileRecord[]
  links: LinkRecord[]
  releases: ReleaseRecord[]
  posts: PostRecord[]
  reports: ReportRecord[]
}

/** Makes the records of an export. A date in the future becomes now. */
export function makeRecords(
  sources: Sources,
  ownerId: string,
  manifest: ExportManifest,
  brought: Brought,
): ImportedRecords {
  const maker = new RecordMaker(sources, ownerId)
  const files = manifest.files.map((file) => maker.makeFile(file, brought))
  const made = manifest.projects.map((project) => maker.makeProject(project, brought))

  return {
    files,
    projects: made.map(({ project }) => project),
    links: made.flatMap(({ links }) => links),
    releases: made.flatMap(({ releases }) => releases),
    posts: made.flatMap(({ posts }) => posts),
    reports: made.flatMap(({ reports }) => reports),
  }
}

class RecordMaker {
  readonly #now: string
  /** The ids of files, by their paths in the zip. */
  readonly #fileIds = new Map<string, string>()

  constructor(
    private readonly sources: Sources,
    private readonly ownerId: string,
  ) {
    this.#now = sources.now().toISOString()
  }

  makeFile(exported: ExportedFile, { files }: Brought): FileRecord {
    const { path, is_public: isPublic, uploaded_at } = exported
    const published = files.get(path)
    if (!published) throw new Error(`${path} was not copied`)
    const id = this.sources.newId()
    this.#fileIds.set(path, id)
    return {
      ...published,
      id,
      ownerId: this.ownerId,
      isPublic,
      uploadedAt: this.#past(uploaded_at),
    }
  }

  makeProject(exported: ExportedProject, brought: Brought) {
    const id = this.sources.newId()
    const pictures = exported.pictures.flatMap(({ path, alt, added_at }): PictureRecord[] => {
      const picture = brought.pictures.get(path)
      return picture ? [{ ...picture, alt, addedAt: this.#past(added_at) }] : []
    })

    const { slug, title, description, is_public: isPublic, retention } = exported
    const choices = exported.report_settings
    const project: ProjectRecord = {
      ...{ id, slug, ownerId: this.ownerId, collaboratorIds: [], title, description, isPublic },
      shortDescription: exported.short_description,
      projectUrl: exported.project_url || null,
      createdAt: this.#past(exported.created_at),
      updatedAt: this.#past(exported.updated_at),
      ...(retention.length > 0 && { retention }),
      ...(pictures.length > 0 && { pictures }),
      ...(choices && { reports: readChoices(choices) }),
    }

    return {
      project,
      links: this.#makeLinks(id, exported),
      releases: exported.releases.map((release) => this.#makeRelease(id, release)),
      posts: exported.posts.map((post) => this.#makePost(id, post)),
      reports: exported.reports.map((report) => this.#makeReport(id, report, brought)),
    }
  }

  #makeRelease(projectId: string, release: ExportedRelease): ReleaseRecord {
    const { version, channel, state, notes, is_kept: isKept, rollout } = release
    const createdAt = this.#past(release.created_at)
    const publishedAt = this.#pastOrNone(release.published_at)

    return {
      ...{ id: releaseId(projectId, version), projectId, ownerId: this.ownerId },
      ...{ version, channel, state, notes, isKept, createdAt },
      publishedAt: publishedAt ?? (state === 'draft' ? null : createdAt),
      promotedAt: this.#pastOrNone(release.promoted_at),
      updatedAt: this.#pastOrNone(release.updated_at),
      broughtBackAt: this.#pastOrNone(release.brought_back_at),
      rollout: rollout === 100 ? undefined : rollout,
    }
  }

  #makeLinks(projectId: string, { downloads }: ExportedProject): LinkRecord[] {
    let position = 0

    return downloads.map(({ file, version, platform, release, added_at }) => {
      const fileId = this.#fileIds.get(file) ?? ''
      const addedAt = this.#past(added_at)
      position = Math.max(Date.parse(addedAt), position + 1)
      return {
        ...{ id: linkId(projectId, fileId), projectId, fileId, version, platform, addedAt },
        position,
        releaseId: release === null ? null : releaseId(projectId, release),
      }
    })
  }

  #makePost(projectId: string, { content, created_at, updated_at }: ExportedPost): PostRecord {
    return {
      ...{ id: this.sources.newId(), projectId, authorId: this.ownerId, content },
      createdAt: this.#past(created_at),
      updatedAt: this.#past(updated_at),
    }
  }

  /** Makes a report whose page has another address: links are in no export. */
  #makeReport(
    projectId: string,
    { kind, text, state, files, replies, ...exported }: ExportedReport,
    { attachments }: Brought,
  ): ReportRecord {
    const short = (said: string | null) => said?.slice(0, 100) || undefined
    const signature = exported.signature ?? undefined

    return {
      ...{ id: this.sources.newId(), projectId, ownerId: this.ownerId, kind, text, state },
      tokenHash: hashOfToken(newLinkToken()),
      ...{ from: short(exported.from), version: short(exported.version), signature },
      device: {
        system: short(exported.system),
        model: short(exported.model),
        browser: short(exported.browser),
        language: short(exported.language),
      },
      fixedIn: short(exported.fixed_in),
      attachments: files.flatMap(({ path }) => attachments.get(path) ?? []),
      replies: replies.map((reply) => ({
        id: this.sources.newId(),
        userId: reply.author === null ? undefined : this.ownerId,
        text: reply.text,
        createdAt: this.#past(reply.created_at),
      })),
      createdAt: this.#past(exported.created_at),
      updatedAt: this.#past(exported.updated_at),
    }
  }

  #past(at: string): string {
    const time = new Date(at).toISOString()
    return time > this.#now ? this.#now : time
  }

  #pastOrNone(at: string | null): string | undefined {
    return at === null ? undefined : this.#past(at)
  }
}

const readChoices = ({
  reporters,
  room = REPORT_ROOM,
  file_days: fileDays,
}: NonNullable<ExportedProject['report_settings']>): ProjectRecord['reports'] => ({
  ...{ reporters, room },
  ...(fileDays !== undefined && { fileDays }),
})

/** Returns the bytes that records use of the quota. */
export const bytesOf = ({ files, projects, releases, posts, reports }: ImportedRecords): number =>
  [
    ...files.map(({ size }) => size),
    ...projects.map((project) => textBytes(project) + pictureBytes(project)),
    ...releases.map(notesBytes),
    ...posts.map(contentBytes),
    ...reports.map((report) => attachmentBytes(report) + reportTextBytes(report)),
  ].reduce((sum, bytes) => sum + bytes, 0)
