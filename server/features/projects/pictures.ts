import { picturePath, type Picture, type ProjectPictures } from '../../contract'
import type { PictureRecord, ProjectRecord } from '../../data/records/project-records'

export const picturesIn = ({ pictures = [] }: ProjectRecord): readonly PictureRecord[] => pictures

/** Bytes on disk of a project's pictures. */
export const pictureBytes = (project: ProjectRecord): number =>
  picturesIn(project).reduce((sum, { size }) => sum + size, 0)

/** Presents the pictures of a project. `base`: see `Entrance`. */
export function presentPictures(project: ProjectRecord, base: string): ProjectPictures {
  const ofKind = (kind: PictureRecord['kind']) =>
    picturesIn(project)
      .filter((picture) => picture.kind === kind)
      .map((picture) => presentPicture(picture, base))
  return { icon: ofKind('icon')[0] ?? null, cover: ofKind('cover')[0] ?? null, screenshots: ofKind('screenshot') }
}

/** Presents one picture. `base`: see `Entrance`. */
export function presentPicture({ id, alt, color, sizes }: PictureRecord, base: string): Picture {
  const views = sizes.map(({ width, height }) => ({ url: picturePath(base, id, width), width, height })).reverse()
  const largest = views.at(-1)
  if (!largest) throw new Error('A picture has at least one size')
  return { picture_id: id, alt, ...largest, color, sizes: views }
}
