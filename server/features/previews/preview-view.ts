import type { FileRecord } from '../../data/records/file-records'
import type {
  LinkRecord,
  PreviewRecord,
  ProjectRecord,
  ReleaseRecord,
} from '../../data/records/project-records'
import type { Tester } from '../../access/actor'
import { ProjectView, type ListedFile, type ListedRelease } from '../projects/project-view'

/** The channel of the builds of a preview, on their page only. */
export const PREVIEW_CHANNEL = 'preview'

type Build = PreviewRecord['builds'][number]

/**
 * What the page of a preview shows of its project: each build in the form of a release, so that the
 * rules of the install page hold, and nothing else.
 */
export class PreviewView extends ProjectView {
  constructor(
    rooms: ProjectView['rooms'],
    project: ProjectRecord,
    override readonly actor: Tester,
    private readonly preview: PreviewRecord,
  ) {
    super(rooms, project, actor)
  }

  override get files(): readonly ListedFile[] {
    return [...this.releases()].flatMap(({ files }) => files)
  }

  override fileOf({ fileId }: Pick<LinkRecord, 'fileId'>): FileRecord | undefined {
    const { store, policy } = this.rooms.files
    const file = store.find(fileId)
    return file && policy.can(this.actor, 'read', file) ? file : undefined
  }

  override findFile(fileId: string): FileRecord | undefined {
    return this.fileOf({ fileId })
  }

  override *releases(): Generator<ListedRelease> {
    for (const build of this.preview.builds) yield this.list(this.#toRelease(build))
  }

  override findRelease(version: string): ListedRelease | undefined {
    return [...this.releases()].find(({ release }) => release.version === version)
  }

  override show(release: ReleaseRecord): ListedRelease | undefined {
    return this.findRelease(release.version)
  }

  override list(release: ReleaseRecord): ListedRelease {
    const build = this.preview.builds.find((it) => this.#versionOf(it) === release.version)

    const files = (build?.fileIds ?? []).flatMap((fileId) => {
      const file = this.fileOf({ fileId })
      return file ? [{ link: this.#toLink(release, fileId), file }] : []
    })
    return { release, files }
  }

  #versionOf({ number }: Build): string {
    return `${this.preview.name}-${number}`
  }

  #toRelease(build: Build): ReleaseRecord {
    const { id, ownerId } = this.project
    const { createdAt } = build

    return {
      id: this.preview.id,
      projectId: id,
      ownerId,
      version: this.#versionOf(build),
      channel: PREVIEW_CHANNEL,
      notes: '',
      state: 'published',
      isKept: true,
      createdAt,
      publishedAt: createdAt,
    }
  }

  #toLink({ id: releaseId, projectId, version, createdAt }: ReleaseRecord, fileId: string) {
    return {
      id: `${projectId}/${fileId}`,
      projectId,
      fileId,
      version,
      platform: null,
      addedAt: createdAt,
      position: Date.parse(createdAt),
      releaseId,
    }
  }
}
