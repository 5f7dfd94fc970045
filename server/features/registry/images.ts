import { z } from 'zod'
import type { BytePart } from '../../core/byte-source'
import { parseJson } from '../../core/json'
import { SizedCache, estimateSize } from '../../core/sized-cache'
import type { ReleaseRecord } from '../../data/records/project-records'
import type { FileRecord } from '../../data/records/file-records'
import type { Audience } from '../releases/audience'
import { offeredFiles } from '../repositories/packages'
import { audienceKey, hasChannel, type Deps } from '../repositories/repository'
import { digestOf, printArtifact } from './artifact'
import {
  IMAGE_INDEX,
  IMAGE_MANIFEST,
  MOST_MANIFEST_BYTES,
  readBytes,
  readOciArchive,
  type OciArchive,
} from './oci-archive'

/** A release, as the registry offers it. */
interface Offer {
  release: ReleaseRecord
  files: readonly FileRecord[]
}

/** An uploaded archive and its file record. */
interface Image {
  file: FileRecord
  archive: OciArchive
}

interface Manifest {
  content: Buffer
  type: string
  digest: string
}

const FILES = '-files'
/** The most bytes that cached places of blobs may use, and the most that cached types may use. */
const MOST_KEPT = 16 * 1024 * 1024
const MOST_TYPES = 1024 * 1024
/** The newest archives of a project in which a digest is searched. */
const MOST_ARCHIVES = 200

/** Turns a version into a tag: tags allow no `+` and no spaces. */
const tagOf = ({ version }: Pick<ReleaseRecord, 'version'>) =>
  version.replace(/[^\w.-]/g, '_').slice(0, 120)

/** Yields the releases of a channel, newest first. An undefined channel yields all of them. */
function* listOffers(audience: Audience, channel?: string): Generator<Offer> {
  let current: { release: ReleaseRecord; files: FileRecord[] } | undefined
  for (const { release, file } of offeredFiles(audience, channel, () => true)) {
    if (current && current.release !== release) yield current
    current = current?.release === release ? current : { release, files: [] }
    current.files.push(file)
  }
  if (current) yield current
}

/**
 * Lists the tags of a project: its versions, its channels, and each of them with `-files` for the
 * artifact.
 */
export function listTags(audience: Audience): string[] {
  const tags = new Set<string>()
  for (const { release } of listOffers(audience)) {
    const names = [tagOf(release), release.channel === 'stable' ? 'latest' : release.channel]
    for (const name of names) tags.add(name).add(name + FILES)
  }
  return [...tags].sort()
}

/** Finds the manifest of a tag: the image of a release, or the artifact with its files. */
export async function findTagged(
  deps: Deps,
  audience: Audience,
  tag: string,
): Promise<Manifest | undefined> {
  const isFiles = tag.endsWith(FILES)
  const offer =
    findOffer(deps, audience, tag) ??
    (isFiles ? findOffer(deps, audience, tag.slice(0, -FILES.length)) : undefined)

  if (!offer) return undefined
  const [image] = isFiles ? [] : await readImages(deps, offer.files)
  return image ? readManifest(deps, image, image.archive.top) : describeArtifact(offer)
}

function findOffer(deps: Deps, audience: Audience, tag: string): Offer | undefined {
  for (const offer of listOffers(audience)) if (tagOf(offer.release) === tag) return offer
  const channel = tag === 'latest' ? audience.channel : tag
  if (!hasChannel(deps, audience, channel)) return undefined
  const [newest] = listOffers(audience, channel)
  return newest
}

function describeArtifact({ release, files }: Offer): Manifest {
  const content = printArtifact(files, release.publishedAt ?? release.createdAt)
  return { content, type: IMAGE_MANIFEST, digest: digestOf(content) }
}

/** Finds a manifest by its digest, among the releases that the caller may fetch. */
export async function findManifest(
  deps: Deps,
  audience: Audience,
  digest: string,
): Promise<Manifest | undefined> {
  const version = (await listArtifacts(deps, audience)).get(digest)

  let left = MOST_ARCHIVES
  for (const offer of listOffers(audience)) {
    if (offer.release.version === version) return describeArtifact(offer)
    for (const image of await readImages(deps, offer.files, left)) {
      const manifest = await readManifest(deps, image, digest)
      if (manifest) return manifest
    }
    left -= archivesOf(offer.files).length
  }

  return undefined
}

/** Maps the digest of each artifact to its version. */
const listArtifacts = (deps: Deps, audience: Audience): Promise<ReadonlyMap<string, string>> =>
  deps.repositories.built.get(`oci ${audienceKey(audience)}`, () => {
    const digests = [...listOffers(audience)].map(
      (offer) => [describeArtifact(offer).digest, offer] as const,
    )
    return Promise.resolve(
      new Map(digests.map(([digest, { release }]) => [digest, release.version])),
    )
  })

/** Finds a blob by its digest: a whole file, or a part of one. */
export async function findBlob(
  deps: Deps,
  audience: Audience,
  digest: string,
): Promise<{ file: FileRecord; part: BytePart | undefined } | undefined> {
  let left = MOST_ARCHIVES

  for (const { files } of listOffers(audience)) {
    const file = files.find(({ sha256 }) => `sha256:${sha256}` === digest)
    if (file) return { file, part: undefined }
    for (const image of await readImages(deps, files, left)) {
      const part = image.archive.blobs.get(digest)
      if (part) return { file: image.file, part }
    }
    left -= archivesOf(files).length
  }

  return undefined
}

/** The place of each blob. Null: the file is not an image. */
const archives = new SizedCache<FileRecord, Promise<OciArchive | null>>(MOST_KEPT)
/**
 * The type of each manifest, by file and digest. Null: the digest of the bytes differs from the
 * name.
 */
const types = new SizedCache<string, string | null>(MOST_TYPES)

const archivesOf = (files: readonly FileRecord[]) =>
  files.filter(({ filename }) => /\.(tar|oci)$/i.test(filename))

/** Reads the OCI archives among files, `most` of them at most. */
async function readImages(
  deps: Deps,
  files: readonly FileRecord[],
  most = MOST_ARCHIVES,
): Promise<Image[]> {
  const images: Image[] = []
  for (const file of archivesOf(files).slice(0, Math.max(0, most))) {
    const archive = await (archives.get(file) ?? readArchive(deps, file))
    if (archive) images.push({ file, archive })
  }

  return images
}

async function readArchive(deps: Deps, file: FileRecord): Promise<OciArchive | null> {
  const reading = withFile(deps, file, (source) => readOciArchive(source, file.size)).then(
    (it) => it ?? null,
  )
  archives.set(file, reading, 0)

  try {
    const archive = await reading
    archives.set(file, reading, estimateSize(archive) + (archive?.blobs.bytes ?? 0))
    return archive
  } catch (error) {
    archives.delete(file)
    throw error
  }
}

/** Finds a manifest in an archive and reads it. */
async function readManifest(
  deps: Deps,
  { file, archive }: Image,
  digest: string,
): Promise<Manifest | undefined> {
  const place = archive.top === digest && archive.index ? archive.index : archive.blobs.get(digest)

  const key = `${file.id} ${digest}`
  const before = types.get(key)
  if (!place || place.size > MOST_MANIFEST_BYTES || before === null) return undefined

  const content = await withFile(deps, file, (source) => readBytes(source, place))
  if (before !== undefined) return { content, type: before, digest }
  // Never return bytes under a digest that they do not have.
  const type = digestOf(content) === digest ? typeOf(content) : null
  types.set(key, type)
  return type === null ? undefined : { content, type, digest }
}

/** The type becomes a header of the response. */
const manifestSchema = z.object({
  mediaType: z
    .string()
    .regex(/^application\/[\w.+-]{1,100}$/)
    .optional(),
  manifests: z.array(z.unknown()).optional(),
})

function typeOf(content: Buffer): string {
  const manifest = manifestSchema.safeParse(parseJson(content.toString('utf8')))
  if (!manifest.success) return IMAGE_MANIFEST
  return (
    manifest.data.mediaType ??
    (manifest.data.manifests === undefined ? IMAGE_MANIFEST : IMAGE_INDEX)
  )
}

async function withFile<Result>(
  { data: { blobs } }: Deps,
  { blobId }: FileRecord,
  read: (source: Awaited<ReturnType<typeof blobs.open>>) => Promise<Result>,
): Promise<Result> {
  const source = await blobs.open(blobId)

  try {
    return await read(source)
  } finally {
    await source.close()
  }
}
