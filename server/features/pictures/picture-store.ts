import { SCREENSHOTS_MAX, type PictureKind } from '../../contract'
import type { Clock, Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import type { BlobStore } from '../../data/blobs/blob-store'
import type { Library, Transaction } from '../../data/library/library'
import type { ProjectStore } from '../projects/project-store'
import type { Trash } from '../trash/trash'
import {
  picturesIn,
  type PictureRecord,
  type ProjectRecord,
} from '../../data/records/project-records'
import type { TrashRecord } from '../../data/records/trash-record'

type Trashed = Extract<TrashRecord, { kind: 'picture' }>['value']

interface Deps {
  library: Library
  blobs: BlobStore
  projects: ProjectStore
  trash: Trash
  sources: Pick<Sources, 'newId'> & Pick<Clock, 'now'>
}

/** A picture whose bytes are on disk. */
export type NewPicture = Omit<PictureRecord, 'addedAt'>

/** Changes the pictures of projects. Removed and replaced pictures move to the trash. */
export class PictureStore {
  constructor(private readonly deps: Deps) {
    deps.trash.register('picture', {
      restore: (tx, value) => this.#restore(tx, value),
      purge: () => undefined,
      erase: ({ picture }) => deps.blobs.remove(picture.blobId),
    })
  }

  /**
   * Adds a picture. An icon or a cover replaces the previous one, a screenshot the one with the id
   * `replaces`. Returns the id in the trash of the replaced picture. Throws `not_found`, `taken`
   * and `too_many_records`.
   */
  async add(
    projectId: string,
    added: NewPicture,
    replaces?: string,
  ): Promise<{ trashId: string | null }> {
    const { library, projects, trash, sources } = this.deps
    const result = await library.transact((tx) => {
      const project = requireProject(projects, projectId)
      const pictures = picturesIn(project)
      requireRoom(pictures, added, replaces)

      const replaced = findReplaced(pictures, added.kind, replaces)
      const alt = added.alt === '' ? (replaced?.alt ?? '') : added.alt
      const picture = { ...added, alt, addedAt: sources.now().toISOString() }
      const trashed = replaced && this.#trash(tx, project, replaced)

      projects.setPictures(tx, projectId, () =>
        replaced ? pictures.map((it) => (it === replaced ? picture : it)) : [...pictures, picture],
      )
      return trashed
    })

    await trash.erase(result?.outgrown ?? [])
    return { trashId: result?.trashId ?? null }
  }

  /** Throws `not_found`, and `invalid_input` unless the ids are those of all screenshots. */
  order(projectId: string, ids: readonly string[]): Promise<ProjectRecord> {
    return this.deps.library.transact((tx) =>
      this.deps.projects.setPictures(tx, projectId, (pictures) => {
        const screenshots = pictures.filter(isScreenshot)
        const ordered = ids.flatMap((id) => screenshots.find((it) => it.id === id) ?? [])

        if (new Set(ids).size !== screenshots.length || ordered.length !== screenshots.length) {
          throw new AppError(
            'invalid_input',
            'Name every screenshot of the project once',
            'screenshots',
          )
        }

        return [...pictures.filter((it) => !isScreenshot(it)), ...ordered]
      }),
    )
  }

  /** Throws `not_found`. */
  describe(projectId: string, pictureId: string, alt: string): Promise<ProjectRecord> {
    return this.deps.library.transact((tx) =>
      this.deps.projects.setPictures(tx, projectId, (pictures) => {
        requirePicture(pictures, pictureId)
        return pictures.map((it) => (it.id === pictureId ? { ...it, alt } : it))
      }),
    )
  }

  /** Moves a picture to the trash. Returns it, and its id in the trash. Throws `not_found`. */
  async remove(
    projectId: string,
    pictureId: string,
  ): Promise<{ removed: PictureRecord; trashId: string }> {
    const { library, projects, trash } = this.deps
    const result = await library.transact((tx) => {
      const project = requireProject(projects, projectId)
      const removed = requirePicture(picturesIn(project), pictureId)

      projects.setPictures(tx, projectId, (pictures) => pictures.filter((it) => it !== removed))
      return { removed, ...this.#trash(tx, project, removed) }
    })

    await trash.erase(result.outgrown)
    return result
  }

  #trash(tx: Transaction, project: ProjectRecord, picture: PictureRecord) {
    const { trash, sources } = this.deps
    const { kind, size, blobId } = picture
    const trashId = sources.newId()

    const place = picturesIn(project).filter(isScreenshot).indexOf(picture)
    const value = { projectId: project.id, picture, place: Math.max(0, place) }
    const name = `${WORDS[kind]} of ${project.title}`

    const outgrown = trash.put(tx, {
      id: trashId,
      kind: 'picture',
      ownerId: project.ownerId,
      name,
      size,
      blobId,
      value,
    })

    return { trashId, outgrown }
  }

  /**
   * Restores a picture. An icon or cover that took its place moves to the trash, so that an Undo
   * can be undone.
   */
  #restore(tx: Transaction, { projectId, picture, place }: Trashed): void {
    const { projects } = this.deps
    const project = projects.find(projectId)
    if (project?.id !== projectId) {
      throw new AppError(
        'not_found',
        'The project of this picture is deleted. Restore the project first.',
      )
    }

    const pictures = picturesIn(project)
    // The same picture was added again: the sweep of unreferenced blobs removes these bytes.
    if (pictures.some(({ id }) => id === picture.id)) return

    requireRoom(pictures, picture)

    const replaced = findReplaced(pictures, picture.kind)
    if (replaced) this.#trash(tx, project, replaced)

    const others = pictures.filter((it) => it !== replaced)
    const screenshots = others.filter(isScreenshot)
    if (isScreenshot(picture)) screenshots.splice(place, 0, picture)
    const single = others.filter((it) => !isScreenshot(it))

    projects.setPictures(tx, projectId, () =>
      isScreenshot(picture) ? [...single, ...screenshots] : [...single, picture, ...screenshots],
    )
  }
}

/** The names of kinds in the trash. */
const WORDS: Record<PictureKind, string> = {
  icon: 'Icon',
  cover: 'Cover',
  screenshot: 'Screenshot',
}

const isScreenshot = ({ kind }: Pick<PictureRecord, 'kind'>) => kind === 'screenshot'

/**
 * Throws `not_found`, `taken` or `too_many_records` if a project with these pictures cannot have
 * another one.
 */
export function requireRoom(
  pictures: readonly PictureRecord[],
  { id, kind }: Partial<Pick<PictureRecord, 'id'>> & Pick<PictureRecord, 'kind'>,
  replaces?: string,
): void {
  if (pictures.some((it) => it.id === id)) {
    throw new AppError('taken', 'This project already shows this picture', 'file')
  }

  const isReplaced = findReplaced(pictures, kind, replaces) !== undefined
  if (replaces !== undefined && !isReplaced) throw notFound('Picture')

  if (
    isScreenshot({ kind }) &&
    !isReplaced &&
    pictures.filter(isScreenshot).length >= SCREENSHOTS_MAX
  ) {
    throw new AppError(
      'too_many_records',
      `A project shows at most ${SCREENSHOTS_MAX} screenshots. Remove one first, or replace one`,
    )
  }
}

const findReplaced = (pictures: readonly PictureRecord[], kind: PictureKind, replaces?: string) =>
  pictures.find((it) => it.kind === kind && (kind !== 'screenshot' || it.id === replaces))

function requireProject(projects: ProjectStore, id: string): ProjectRecord {
  const project = projects.find(id)
  if (!project) throw notFound('Project')
  return project
}

function requirePicture(pictures: readonly PictureRecord[], id: string): PictureRecord {
  const picture = pictures.find((it) => it.id === id)
  if (!picture) throw notFound('Picture')
  return picture
}
