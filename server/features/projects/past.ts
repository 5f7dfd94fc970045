import type { Library } from '../../data/library/library'
import type { Op } from '../../data/library/library-data'
import type { FileRecord } from '../../data/records/file-records'
import type {
  LinkRecord,
  ProjectRecord,
  ReleaseRecord,
  ReservedSlug,
} from '../../data/records/project-records'
import { claimNames } from './package-names'
import type { ProjectStore } from './project-store'

/** The most past channels, and the most past names of a project. */
const MOST_CHANNELS = 100
const MOST_NAMES = 1000

/** What projects offer, as it was before a change. */
type Offering = Pick<ProjectStore, 'links' | 'releases'>

/** What leaves a project with one change. */
interface Leaving {
  channels: Set<string>
  names: Set<string>
}

/**
 * Whether a name belongs or belonged to a project. Includes private files: if a stranger registered
 * the name elsewhere, that would be worse than a visitor guessing it.
 */
export const remembersName = ({ pastNames = [] }: ProjectRecord, name: string): boolean =>
  pastNames.length >= MOST_NAMES || pastNames.includes(name)

/**
 * Remembers in each project, and in the slug of a deleted one, which channels and packages it has
 * offered, when their last file leaves: computers that subscribed still ask for them. Channels only
 * if visitors saw them.
 */
export function rememberPast(library: Library, store: Offering): void {
  const projects = library.collection('projects')
  const reservedSlugs = library.collection('reservedSlugs')
  library.follow('projects', (tx, ops) => {
    for (const [projectId, leaving] of findLeaving(library, store, ops)) {
      const before = projects.get(projectId)
      const change = findChange(ops, 'projects', projectId)
      const after = change?.[0] === 'put' ? (change[3] as ProjectRecord) : before

      if (change?.[0] !== 'delete' && after) {
        const isClosed = before?.isPublic === true && !after.isPublic
        const past = addPast(after, leaving)
        const wasPublic = isClosed || after.wasPublic
        if (isClosed || past !== after)
          tx.put(projects, projectId, { ...past, ...(wasPublic && { wasPublic }) })
      } else if (before && (before.isPublic || before.wasPublic)) {
        const reserved = findChange(ops, 'reservedSlugs', before.slug)
        if (reserved?.[0] !== 'put') continue
        const { pastChannels, pastNames } = before
        const record = { ...(reserved[3] as ReservedSlug), projectId, pastChannels, pastNames }
        tx.put(reservedSlugs, before.slug, addPast(record, leaving))
      }
    }
  })
}

const findChange = (ops: readonly Op[], collection: string, key: string) =>
  ops.findLast(([, name, id]) => name === collection && id === key)

/** Returns the record itself where it has all of it. */
function addPast<Record extends Pick<ProjectRecord, 'pastChannels' | 'pastNames'>>(
  record: Record,
  { channels, names }: Leaving,
): Record {
  const { pastChannels = [], pastNames = [] } = record
  const allChannels = [...new Set([...pastChannels, ...channels])].slice(-MOST_CHANNELS)
  const allNames = [...new Set([...pastNames, ...names])].slice(0, MOST_NAMES)
  return allChannels.length === pastChannels.length && allNames.length === pastNames.length
    ? record
    : { ...record, pastChannels: allChannels, pastNames: allNames }
}

/** By project. The collections still have what was before the change. */
function findLeaving(
  library: Library,
  { links, releases }: Offering,
  ops: readonly Op[],
): Map<string, Leaving> {
  const files = library.collection('files')
  const projects = library.collection('projects')
  const byProject = new Map<string, Leaving>()

  const of = (projectId: string): Leaving => {
    const leaving = byProject.get(projectId) ?? { channels: new Set(), names: new Set() }
    byProject.set(projectId, leaving)
    return leaving
  }

  const leave = (release: ReleaseRecord | undefined, isSeen: boolean) => {
    if (release?.state !== 'published' || !isSeen || release.channel === 'stable') return
    if (projects.get(release.projectId)?.isPublic)
      of(release.projectId).channels.add(release.channel)
  }
  const hasPublicFile = (releaseId: string) =>
    links.ofRelease(releaseId).some(({ fileId }) => files.get(fileId)?.isPublic === true)
  const leaveLink = ({ projectId, releaseId }: LinkRecord, file: FileRecord | undefined) => {
    for (const name of file ? claimNames(file) : []) of(projectId).names.add(name)
    leave(releaseId === null ? undefined : releases.find(releaseId), file?.isPublic === true)
  }

  for (const op of ops) {
    if (op[0] === 'counter') continue
    const [kind, name, id] = op
    if (name === 'links' && kind === 'delete') {
      const link = links.findById(id)
      if (link) leaveLink(link, files.get(link.fileId))
    } else if (name === 'files' && kind === 'put') {
      const before = files.get(id)
      if (before?.isPublic && !(op[3] as FileRecord).isPublic)
        for (const link of links.ofFile(id)) leaveLink(link, before)
    } else if (name === 'releases') {
      const before = releases.find(id)
      const after = kind === 'put' ? (op[3] as ReleaseRecord) : undefined

      if (before && after?.state === before.state && after.channel === before.channel) continue
      leave(before, hasPublicFile(id))
    } else if (name === 'projects') {
      const isOpen = kind === 'put' && (op[3] as ProjectRecord).isPublic
      const before = projects.get(id)
      if (!before || isOpen) continue
      of(id)
      for (const release of before.isPublic ? releases.ofProject(id) : [])
        leave(release, hasPublicFile(release.id))
    }
  }
  return byProject
}
