import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { PICTURE_BYTES, type PictureKind } from '../../contract'
import { AppError } from '../../core/errors'
import { sha256Of } from '../../core/sha256'
import type { BlobStore } from '../../data/blobs/blob-store'
import { requireStillHeld } from '../../http/endpoint/call'
import { declaredBytes } from '../../http/receive/pump-body'
import { receiveBytes } from '../../http/receive/receive-bytes'
import { createPacer } from '../../http/transfers/bandwidth'
import type { PictureJob, PictureMaker } from '../../libraries/picture-maker/picture-maker'
import type { MadePicture, Shape } from '../../libraries/picture-maker/pictures'
import { requireMade } from './require-made'
import type { NewPicture } from './picture-store'
import type { ProjectRecord } from '../../data/records/project-records'

type Deps = Rooms<'data' | 'files' | 'pictures' | 'transfers'>

/** The sizes of each kind, in pixels, largest first. Smaller pictures are not enlarged. */
const SHAPES: Record<PictureKind, Shape> = {
  icon: { fit: 'contain', sizes: [512, 256, 128, 64].map((width) => ({ width, height: width })) },
  cover: {
    fit: 'cover',
    sizes: [1200, 600].map((width) => ({ width, height: (width * 630) / 1200 })),
  },
  screenshot: {
    fit: 'inside',
    sizes: [1440, 720, 360].map((width) => ({ width, height: width * 2 })),
  },
}

/**
 * Receives a picture, and stores it as WebP in every size of its kind. The original is not stored.
 * `keep` adds the record; if it fails, the bytes are removed.
 */
export async function takePicture<Kept extends object>(
  context: Deps,
  ctx: Context,
  { project, kind }: { project: ProjectRecord; kind: PictureKind },
  keep: (made: Omit<NewPicture, 'alt'>) => Promise<Kept>,
): Promise<Kept & { picture: { id: string } }> {
  const { data, files } = context
  const made = await receive(context, ctx, { project, kind })
  using _reservation = await files.quota.reserve(project.ownerId, bytesOf(made))
  requireStillHeld(ctx)
  const picture = await storePicture(data.blobs, kind, made)

  try {
    return { ...(await keep(picture)), picture: { id: picture.id } }
  } catch (cause) {
    // After an I/O error keep the bytes; startup recovery decides.
    if (cause instanceof AppError) await data.blobs.remove(picture.blobId)
    throw cause
  }
}

const bytesOf = ({ images }: MadePicture) =>
  images.reduce((sum, { bytes }) => sum + bytes.length, 0)

/** Stores the sizes of a picture as one blob. */
export async function storePicture(
  blobs: Pick<BlobStore, 'begin'>,
  kind: PictureKind,
  { images, width, height, color }: MadePicture,
): Promise<Omit<NewPicture, 'alt'>> {
  const bytes = Buffer.concat(images.map((image) => image.bytes))
  const id = sha256Of(bytes, 'hex').slice(0, 32)
  const sizes = images.map((image) => ({
    width: image.width,
    height: image.height,
    size: image.bytes.length,
  }))

  await using draft = await blobs.begin()
  draft.stream.end(bytes)
  const { blobId, size, sha256 } = await draft.publish()
  return { blobId, size, sha256, id, kind, width, height, color, sizes }
}

async function receive(
  { data, pictures, transfers }: Deps,
  ctx: Context,
  { project, kind }: { project: ProjectRecord; kind: PictureKind },
): Promise<MadePicture> {
  requireSize(declaredBytes(ctx))
  const transfer = transfers.running.begin(ctx, {
    direction: 'upload',
    filename: `${kind} of ${project.title}`,
  })

  const onBytes = (bytes: number) => {
    requireStillHeld(ctx)
    requireSize(bytes)
    return undefined
  }

  await using draft = await data.blobs.begin({ ownsChunks: true, onBytes })
  await receiveBytes(ctx, draft.stream, createPacer(transfer))
  return await makePicture(pictures.maker, { path: draft.path, ownerId: project.ownerId }, kind)
}

/** Makes the sizes of a kind of picture. Throws AppError if the file is no picture. */
export async function makePicture(
  maker: Pick<PictureMaker, 'make'>,
  source: Omit<PictureJob, 'shape'>,
  kind: PictureKind,
): Promise<MadePicture> {
  return requireMade(await maker.make({ ...source, shape: SHAPES[kind] }))
}

function requireSize(bytes: number): void {
  if (bytes > PICTURE_BYTES)
    throw new AppError('too_large', 'The picture is larger than 10 MB', 'file')
}
