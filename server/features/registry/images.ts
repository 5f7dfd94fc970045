import { z } from 'zod'
import type { BytePart } from '../../core/byte-source'
import { parseJson } from '../../core/json'
import type { ReleaseRecord } from '../../data/records/project-records'
import type { FileRecord } from '../../data/records/file-records'
import type { Entrance } from '../releases/entrance'
import { offeredFiles } from '../repositories/packages'
import { hasChannel, type Deps } from '../repositories/repository'
import { digestOf, printArtifact } from './artifact'
import {
  IMAGE_INDEX,
  IMAGE_MANIFEST,
  MOST_MANIFEST_BYTES,
  readBytes,
  readOciArchive,
  type OciArchive,
} from './oci-archive'

/** A release as a registry offers it. */
interface Offer {
  release: ReleaseRecord
  /** Newest first. */
  files: readonly FileRecord[]
}

/** An uploaded archive with the file that it is. */
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

/** A version as a tag: those may have no `+` or spaces. */
const tagOf = ({ version }: Pick<ReleaseRecord, 'version'>) => version.replace(/[^\w.-]/g, '_').slice(0, 120)

/** Yields the releases of a channel, newest first. Undefined: of all channels. */
function* listOffers(deps: Deps, entrance: Entrance, channel?: string): Generator<Offer> {
  let current: { release: ReleaseRecord; files: FileRecord[] } | undefined
  for (const { release, file } of offeredFiles(deps, entrance, channel, () => true)) {
    if (current && current.release !== release) yield current
    current = current?.release === release ? current : { release, files: [] }
    current.files.push(file)
  }
  if (current) yield current
}

/** The tags of a project: its versions, its channels, and with `-files` those as artifacts. */
export function listTags(deps: Deps, entrance: Entrance): string[] {
  const tags = new Set<string>()
  for (const { release } of listOffers(deps, entrance)) {
    const names = [tagOf(release), release.channel === 'stable' ? 'latest' : release.channel]
    for (const name of names) tags.add(name).add(name + FILES)
  }
  return [...tags].sort()
}

/** Finds what a tag names: the image of a release, or its files as an artifact. */
export async function findTagged(deps: Deps, entrance: Entrance, tag: string): Promise<Manifest | undefined> {
  const isFiles = tag.endsWith(FILES)
  const offer =
    findOffer(deps, entrance, tag) ?? (isFiles ? findOffer(deps, entrance, tag.slice(0, -FILES.length)) : undefined)
  if (!offer) return undefined
  const [image] = isFiles ? [] : await readImages(deps, offer.files)
  return image ? readManifest(deps, image, image.archive.top) : describeArtifact(offer)
}

function findOffer(deps: Deps, entrance: Entrance, tag: string): Offer | undefined {
  for (const offer of listOffers(deps, entrance)) if (tagOf(offer.release) === tag) return offer
  const channel = tag === 'latest' ? entrance.channel : tag
  if (!hasChannel(deps, entrance, channel)) return undefined
  const [newest] = listOffers(deps, entrance, channel)
  return newest
}

function describeArtifact({ release, files }: Offer): Manifest {
  const content = printArtifact(files, release.publishedAt ?? release.createdAt)
  return { content, type: IMAGE_MANIFEST, digest: digestOf(content) }
}

/** Finds a manifest by its digest, in what the reader may fetch. */
export async function findManifest(deps: Deps, entrance: Entrance, digest: string): Promise<Manifest | undefined> {
  for (const offer of listOffers(deps, entrance)) {
    const artifact = describeArtifact(offer)
    if (artifact.digest === digest) return artifact
    for (const image of await readImages(deps, offer.files)) {
      const manifest = await readManifest(deps, image, digest)
      if (manifest) return manifest
    }
  }
  return undefined
}

/** Finds a blob by its digest: a file, or a part of one. */
export async function findBlob(
  deps: Deps,
  entrance: Entrance,
  digest: string,
): Promise<{ file: FileRecord; part: BytePart | undefined } | undefined> {
  for (const { files } of listOffers(deps, entrance)) {
    const file = files.find(({ sha256 }) => `sha256:${sha256}` === digest)
    if (file) return { file, part: undefined }
    for (const image of await readImages(deps, files)) {
      const part = image.archive.blobs.get(digest)
      if (part) return { file: image.file, part }
    }
  }
  return undefined
}

const archives = new WeakMap<FileRecord, Promise<OciArchive | undefined>>()

/** The OCI archives among files. */
async function readImages(deps: Deps, files: readonly FileRecord[]): Promise<Image[]> {
  const images: Image[] = []
  for (const file of files.filter(({ filename }) => /\.(tar|oci)$/i.test(filename))) {
    const reading = archives.get(file) ?? withFile(deps, file, (source) => readOciArchive(source, file.size))
    archives.set(file, reading)
    reading.catch(() => archives.delete(file))
    const archive = await reading
    if (archive) images.push({ file, archive })
  }
  return images
}

async function readManifest(deps: Deps, { file, archive }: Image, digest: string): Promise<Manifest | undefined> {
  const member = archive.blobs.get(digest)
  const listed = archive.index && archive.top === digest ? archive.index : undefined
  if (!listed && (!member || member.size > MOST_MANIFEST_BYTES)) return undefined
  const content = listed ?? (member && (await withFile(deps, file, (source) => readBytes(source, member))))
  // Of another digest than its name says: a client must not get it as what it asked for.
  if (!content || digestOf(content) !== digest) return undefined
  return { content, type: typeOf(content), digest }
}

/** Its type is a header of the reply. */
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
  return manifest.data.mediaType ?? (manifest.data.manifests === undefined ? IMAGE_MANIFEST : IMAGE_INDEX)
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
