import type { PictureRecord } from '../../../server/data/records/project-records'
import type { TestServer } from './test-server'

type Planted = Pick<PictureRecord, 'kind' | 'alt'> & { width: number; height: number }

/** Gives a project these pictures, as if they had been made: the file has the bytes of both sizes of each. */
export async function plantPictures(
  { inside: { library, files } }: TestServer,
  projectId: string,
  fileId: string,
  pictures: readonly Planted[],
): Promise<void> {
  const { blobId, size, sha256, uploadedAt: addedAt } = files.find(fileId)!
  const records = pictures.map(({ width, height, ...picture }, at): PictureRecord => {
    const half = { width: Math.round(width / 2), height: Math.round(height / 2) }
    const sizes = [{ width, height }, half].map((it) => ({ ...it, size: Math.floor(size / 2) }))
    const id = (at + 1).toString(16).padStart(32, '0')
    return { ...picture, id, color: '#0b6d66', width, height, sizes, blobId, size, sha256, addedAt }
  })
  const projects = library.collection('projects')
  await library.transact((tx) => tx.put(projects, projectId, { ...projects.get(projectId)!, pictures: records }))
}
