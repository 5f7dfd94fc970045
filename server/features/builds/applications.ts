import type { Rooms } from '../../compose/context'
import { platformOf, type Application } from '../../contract'
import { fileKind } from '../../contract/files/formats'
import { usualChannel } from '../../core/versions'
import type { FileRecord } from '../../data/records/file-records'
import type { ProjectRecord } from '../../data/records/project-records'
import { titleOfFilename } from '../../texts/filename'
import { platformOfLink } from '../projects/link-store'

/** The most newest versions of an application, one per channel and platform. */
const MOST_NEWEST = 12

type Needs = Rooms<'files' | 'projects'>

/** A build and where it belongs. */
interface Placed {
  file: FileRecord
  version: string | null
  channel: string
  platform: Application['newest'][number]['platform']
  project: ProjectRecord | undefined
}

/** The builds of one application, newest first. */
interface ApplicationBuilds {
  id: string
  builds: Placed[]
}

/**
 * Groups builds, newest first, by their application: the project that offers the build, else the
 * application ID of the package, else the name of the file. Leaves out archives of which neither
 * facts nor a version are known.
 */
export function groupBuilds(files: readonly FileRecord[], rooms: Needs): ApplicationBuilds[] {
  const placed = files
    .map((file) => findPlace(file, rooms))
    .filter((build) => !isPlainArchive(build))

  // A build outside projects joins the project that has builds of its application ID.
  const projectIds = new Map<string, string>()
  for (const { file, project } of placed)
    if (project && file.facts?.appId) projectIds.set(file.facts.appId, project.id)

  const groups = Map.groupBy(placed, ({ file, project }) => {
    const appId = file.facts?.appId
    const projectId = project?.id ?? (appId === undefined ? undefined : projectIds.get(appId))
    if (projectId !== undefined) return `project:${projectId}`
    return appId ? `app:${appId}` : `name:${titleOfFilename(file.filename).toLowerCase()}`
  })
  return [...groups].map(([id, builds]) => ({ id, builds }))
}

/** Returns the builds of one application, newest first. */
export const findBuilds = (id: string, files: readonly FileRecord[], rooms: Needs): FileRecord[] =>
  groupBuilds(files, rooms)
    .filter((group) => group.id === id)
    .flatMap(({ builds }) => builds.map(({ file }) => file))

function findPlace(file: FileRecord, { files, projects: { store } }: Needs): Placed {
  const [project] = store.withFile(file.id, file.ownerId, 1).map((place) => place.project)
  const link = project && store.links.find(project.id, file.id)
  const release = link?.releaseId ? store.releases.find(link.releaseId) : undefined
  const version = files.versionOf(file)
  const platform = link ? platformOfLink(link, file) : null

  return {
    file,
    version,
    channel: release?.channel ?? (version === null ? 'stable' : usualChannel(version)),
    platform: platformOf({ filename: file.filename, platform }) ?? null,
    project,
  }
}

const isPlainArchive = ({ file: { filename, facts }, version }: Placed) =>
  !facts && version === null && fileKind(filename) === 'archive'

/** Presents an application: the newest build of each channel and platform, and how many it has. */
export function presentApplication(
  { id, builds }: ApplicationBuilds,
  { files }: Pick<Needs, 'files'>,
): Application {
  const newest = new Map<string, Placed>()
  for (const build of builds) {
    const place = `${build.channel} ${build.platform}`
    if (!newest.has(place) && newest.size < MOST_NEWEST) newest.set(place, build)
  }

  const icons = builds.map(({ file }) => files.presentPackage(file).icon_url)
  return {
    application: id,
    title: titleOf(builds),
    icon_url: icons.find((url) => url !== null) ?? null,
    builds: builds.length,
    total_size: builds.reduce((sum, { file }) => sum + file.size, 0),
    newest: [...newest.values()].map(({ file, version, channel, platform }) => ({
      ...{ version, channel, platform, buildDate: file.uploadedAt },
    })),
  }
}

function titleOf(builds: readonly Placed[]): string {
  const project = builds.find((build) => build.project)?.project
  return project?.title ?? titleOfFilename(builds[0]?.file.filename ?? '')
}
