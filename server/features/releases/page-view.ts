import type { Rooms } from '../../compose/context'
import { platformOf, type LinkedFile, type Platform, type ProjectPage } from '../../contract'
import { isPackage } from '../../contract/files/platforms'
import type { PageQuery } from '../../contract/projects/page-query'
import { RELEASES_A_PAGE } from '../../texts/release-address'
import { compareVersions } from '../../core/versions'
import type { Audience } from './audience'
import { presentLink } from '../projects/presenter'
import { chooseFile, type Target } from './choose-file'
import {
  channelsOf,
  notesOf,
  type ListedFile,
  type ListedRelease,
  type ProjectView,
} from '../projects/project-view'
import { presentRelease } from './presenter'

type Deps = Rooms<'files' | 'transfers'>
/** A page without what is read from the disk for it. */
export type PageView = Omit<ProjectPage, 'obstacle' | 'subscriptions'>

/** The query parameters of a project's page. */
export interface PageRequest {
  version?: string | undefined
  channel?: string | undefined
  since?: string | undefined
  /** The device that gets the file. Undefined: the newest file, for any device. */
  device?: Target | undefined
  /** The visitor's IP address. */
  address: string
}

/** The most files of releases on the page of a project. */
const PAGE_FILES = 20
/** The most files on the page of a release. */
const RELEASE_FILES = 500
/** The most files of each release in the list of releases. */
const LISTED_FILES = 10
/** The most files without a release. */
const LOOSE_FILES = 100

/**
 * Builds the page of a project, or of one release, for an actor. Throws `not_found`.
 *
 * The page of a project answers three questions, in this order:
 * 1. Which channel? The one of the query, else that of the audience, if they have releases. Else
 *    stable if there are stable releases or files without a version, otherwise the channel of the
 *    newest release. Every channel also shows the stable releases.
 * 2. What is the main download? The newest release with a file for the visitor's device, and its
 *    best file. A file without a version wins if it fits the device and no release does. If
 *    nothing fits, the best file of the newest release with files.
 * 3. What is below it? The files of that release, older releases within the limit of files, and
 *    files without a version.
 *
 * Only files that visitors may download (`is_public`) can become the main download, so that members
 * see the page as visitors do; their private files are listed beside it. Testers are offered
 * everything that they see.
 *
 * The page of a release (`request.version`) has that release only, also a draft if the actor may
 * see it, and no files without a version.
 *
 * `published` is every published release that the actor may see, `listed` those of the channel,
 * both newest first.
 */
export function pageView(deps: Deps, audience: Audience, request: PageRequest): PageView {
  const { actor, view } = audience
  const { published } = view

  const channels = channelsOf(published)
  const single = request.version === undefined ? undefined : view.release(request.version)

  const files = single ? [] : looseFiles(view)
  // Members see what visitors are offered, without private files. Testers are offered all files
  // that they see.
  const offersAll = actor.kind === 'tester'
  // Files without a version count as stable: a first beta must not replace them.
  const usual = files.some(({ is_public }) => is_public || offersAll)
    ? 'stable'
    : (channels[0] ?? 'stable')

  const findChannel = (name: string | undefined) => channels.find((it) => it === name)
  const channel = findChannel(request.channel) ?? findChannel(audience.channel) ?? usual
  const listed = published.filter(({ release }) => [channel, 'stable'].includes(release.channel))

  const present: Present = ({ link }) => presentLink(view, link)
  const top = chooseTop(single ? [single] : listed, request.device, offersAll, present)
  const choice = preferFitting(
    top,
    chooseDownload(files, request.device?.platform, offersAll),
    request.device,
  )

  const current = single ?? choice.listed
  const release = current
    ? presentRelease(view, current, single ? RELEASE_FILES : PAGE_FILES)
    : null

  const visibleFiles = [
    ...files,
    ...(release?.files ?? []),
    ...(choice.primary ? [choice.primary] : []),
  ]

  return {
    channel,
    channels,
    release,
    file: choice.primary ?? null,
    fits: choice.fits,
    signer: current && choice.primary ? compareSigner(choice.primary, current, published) : null,
    releases: single
      ? []
      : others(listed, current).map((it) => presentRelease(view, it.listed, it.most)),
    total_releases: listed.length,
    files: files.filter(({ file_id }) => file_id !== choice.primary?.file_id),
    total_size: totalSize(view),
    has_damaged: view.files.some(({ file }) => deps.files.damaged.has(file.blobId)),
    notes:
      request.since === undefined
        ? null
        : notesOf(
            listed.filter((it) => compareVersions(it.release.version, request.since ?? '') > 0),
          ),
    // Testers download from this host only.
    from_bucket: offersAll ? [] : fromBucket(deps, visibleFiles, request.address),
  }
}

function fromBucket(
  { files, transfers }: Deps,
  visibleFiles: readonly LinkedFile[],
  address: string,
): string[] {
  const ids = [...new Set(visibleFiles.map(({ file_id }) => file_id))]
  return ids.filter((id) => {
    const file = files.store.find(id)
    return file !== undefined && transfers.handOver.wouldRedirect(address, file)
  })
}

interface Choice {
  /** The main download; undefined while no file is public. */
  primary: LinkedFile | undefined
  /** Whether it probably runs on the visitor's device. */
  fits: boolean
}

/**
 * Chooses the download for a visitor's device: the newest file for its platform, else the newest
 * package for no platform in particular, else the newest package, else the newest file. A private
 * file is never offered first, so that its owner sees the page as visitors do; testers get theirs.
 */
export function chooseDownload(
  downloads: readonly LinkedFile[],
  visitor: Platform | undefined,
  isTester = false,
): Choice {
  const offered = downloads.filter(({ is_public }) => is_public || isTester)

  const packages = offered.filter(isPackage)
  const fitting =
    packages.find((file) => visitor !== undefined && platformOf(file) === visitor) ??
    packages.find(runsAnywhere)

  return {
    primary: fitting ?? packages[0] ?? offered[0],
    fits: visitor === undefined || packages.length === 0 || fitting !== undefined,
  }
}

const runsAnywhere = (file: LinkedFile) =>
  [undefined, 'Web', 'Image', 'Firmware'].includes(platformOf(file))

type Chosen = Choice & { listed?: ListedRelease }

/** Prefers a file without a version for this device to a file of a release for other devices. */
function preferFitting(top: Chosen | undefined, loose: Choice, device: Target | undefined): Chosen {
  const isBetter = loose.primary !== undefined && platformOf(loose.primary) === device?.platform
  return top && (top.fits || !isBetter) ? top : loose
}

type Present = (listed: ListedFile) => LinkedFile | undefined

/**
 * Chooses the newest release with a file for the device, and the best of its files; else the newest
 * release with files.
 */
function chooseTop(
  listed: readonly ListedRelease[],
  device: Target | undefined,
  offersAll: boolean,
  present: Present,
) {
  const offeredFiles = (it: ListedRelease) =>
    it.files.filter(({ file }) => !file.isPart && (file.isPublic || offersAll))

  for (const it of device?.platform === undefined ? [] : listed) {
    const best = chooseFile(offeredFiles(it), device ?? {})
    if (best) return { listed: it, primary: present(best), fits: true }
  }

  const newest = listed.find((it) => offeredFiles(it).length > 0)
  if (!newest) return undefined

  return {
    listed: newest,
    ...chooseDownload(presentFiles(offeredFiles(newest), present), device?.platform, offersAll),
  }
}

const presentFiles = (files: readonly ListedFile[], present: Present) =>
  files.flatMap((it) => present(it) ?? [])

/** Lists the other releases, each with the number of its files to show. */
function others(listed: readonly ListedRelease[], top: ListedRelease | undefined) {
  const rows: { listed: ListedRelease; most: number }[] = []
  let room = PAGE_FILES - (top?.files.length ?? 0)

  for (const it of listed) {
    if (it === top) continue
    if (room <= 0) break
    rows.push({ listed: it, most: room })

    // A release without files takes up a line, too.
    room -= Math.max(1, it.files.length)
  }
  return rows
}

/** Compares the signer of a file with that of the same application in the release before. */
function compareSigner(
  { facts }: LinkedFile,
  { release }: ListedRelease,
  published: readonly ListedRelease[],
): ProjectPage['signer'] {
  if (!facts?.signer || facts.app_id === null) return null
  const at = published.findIndex((it) => it.release.id === release.id)

  for (const { files } of at < 0 ? [] : published.slice(at + 1)) {
    const same = files.filter(
      ({ file }) => file.facts?.kind === facts.kind && file.facts.appId === facts.app_id,
    )

    const before = same.find(({ file }) => file.facts?.signer !== undefined)?.file.facts?.signer
    if (before !== undefined) return before === facts.signer ? 'same' : 'other'
  }
  return null
}

const totalSize = ({ files }: ProjectView): number =>
  files.reduce((sum, { file }) => sum + file.size, 0)

/** Returns the newest files without a release that the actor may see. */
const looseFiles = (view: ProjectView): LinkedFile[] =>
  view.files
    .filter(({ link }) => link.releaseId === null)
    .slice(0, LOOSE_FILES)
    .flatMap(({ link }) => presentLink(view, link) ?? [])

/**
 * Returns one page of the list of published releases, each with its newest files. `page` starts at
 * 1; `from` is the visitor's version: newer ones are counted.
 */
export function releaseIndex({ view }: Audience, { page, from }: ListQuery) {
  const { published } = view
  const rows = published.slice((page - 1) * RELEASES_A_PAGE, page * RELEASES_A_PAGE)
  return {
    releases: rows.map((it) => presentRelease(view, it, LISTED_FILES)),
    total: published.length,
    since:
      from === undefined
        ? undefined
        : {
            version: from,
            count: published.filter(({ release }) => compareVersions(release.version, from) > 0)
              .length,
          },
  }
}

type ListQuery = Pick<PageQuery, 'page' | 'from'>
