import type { Rooms } from '../../compose/context'
import { platformsOf } from '../../contract'
import { readPart } from '../../core/byte-source'
import { sha256Of } from '../../core/sha256'
import type { BlobStore } from '../../data/blobs/blob-store'
import { findPart, picturesIn, type PictureRecord } from '../../data/records/project-records'
import type { Card } from '../../libraries/picture-maker/pictures'
import { toDrawable } from '../../texts/format'
import { platformOfLink } from '../projects/link-store'
import type { ProjectView } from '../projects/project-view'
import type { Face } from './face'

type Deps = Rooms<'accounts' | 'files' | 'projects'>

/** A link preview that can be drawn. Contains only what visitors see. */
interface Preview {
  /** Equal for previews that look the same. */
  key: string
  readCard: () => Promise<Card>
}

/**
 * Finds the content of the preview of a project or a release. Returns undefined if the font cannot
 * draw its title. Throws `not_found`.
 */
export function findPreview(
  deps: Deps & Rooms<'data'>,
  { view, project, ...face }: Face,
  release: string | undefined,
): Preview | undefined {
  const { project: record } = view
  const title = toDrawable(record.title)
  const { version, platforms } =
    release === undefined ? { ...face, platforms: project.platforms } : ofRelease(view, release)

  if (title === '') return undefined
  const label = toDrawable(version ?? '')
  const card = { title, text: toDrawable(project.summary), label, facts: platforms.join(' · ') }

  const chosen = picturesIn(record).find(({ kind }) => kind === 'icon')
  const cover = picturesIn(record).find(({ kind }) => kind === 'cover')
  const file = chosen ? undefined : view.findIconFile()

  return {
    key: digest(JSON.stringify([card, chosen?.id, cover?.id, file?.sha256])),
    readCard: async () => ({
      ...card,
      icon: chosen
        ? await readLargest(deps.data.blobs, chosen)
        : file && (await deps.files.facts.readIcon(file)),
      cover: cover && (await readLargest(deps.data.blobs, cover)),
    }),
  }
}

function ofRelease(view: ProjectView, version: string) {
  const { release, files } = view.release(version)
  const published = files.map(({ link, file }) => ({
    filename: file.filename,
    platform: platformOfLink(link, file),
  }))
  return { version: release.version, platforms: platformsOf(published) }
}

async function readLargest(
  blobs: Pick<BlobStore, 'open'>,
  picture: PictureRecord,
): Promise<Buffer> {
  const part = findPart(picture, picture.sizes[0]?.width ?? 0) ?? { offset: 0, size: 0 }
  return readPart(await blobs.open(picture.blobId), part)
}

const digest = (text: string): string => sha256Of(text, 'hex')
