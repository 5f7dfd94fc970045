import type { Library, Transaction } from '../../data/library/library'
import type { Op } from '../../data/library/library-data'
import type { FileRecord } from '../../data/records/file-records'
import type { LinkRecord, ProjectRecord, ReleaseRecord } from '../../data/records/project-records'
import type { LinkStore } from './link-store'
import { claimNames } from './package-names'

/** The most past channels, and the most past names of a project. */
const MOST_CHANNELS = 100
const MOST_NAMES = 1000

/** What a change removes from a project. */
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
 * Remembers in each project which channels and packages it has offered, when their last file is
 * removed: subscribed clients still ask for them. Remembers only channels that visitors saw.
 */
export function rememberPast(library: Library, links: LinkStore): void {
  const projects = library.collection('projects')
  library.follow('projects', (tx, ops) => {
    for (const [projectId, leaving] of findLeaving(library, links, ops)) {
      const change = ops.findLast(([, name, id]) => name === 'projects' && id === projectId)
      if (change?.[0] === 'delete') continue
      const project = change?.[0] === 'put' ? (change[3] as ProjectRecord) : projects.get(projectId)
      if (project) remember(tx, project, leaving)
    }
  })

  function remember(tx: Transaction, project: ProjectRecord, { channels, names }: Leaving): void {
    const { pastChannels = [], pastNames = [] } = project
    const allChannels = [...new Set([...pastChannels, ...channels])].slice(-MOST_CHANNELS)
    const allNames = [...new Set([...pastNames, ...names])].slice(0, MOST_NAMES)

    if (allChannels.length === pastChannels.length && allNames.length === pastNames.length) return

    tx.put(projects, project.id, { ...project, pastChannels: allChannels, pastNames: allNames })
  }
}

/** Finds what a change removes, by project. The collections still have the previous state. */
function findLeaving(library: Library, links: LinkStore, ops: readonly Op[]): Map<string, Leaving> {
  const files = library.collection('files')
  const releases = library.collection('releases')
  const byProject = new Map<string, Leaving>()

  const of = (projectId: string): Leaving => {
    const leaving = byProject.get(projectId) ?? { channels: new Set(), names: new Set() }
    byProject.set(projectId, leaving)
    return leaving
  }

  const leave = (release: ReleaseRecord | undefined, isSeen: boolean) => {
    if (release?.state === 'published' && isSeen && release.channel !== 'stable')
      of(release.projectId).channels.add(release.channel)
  }

  const leaveLink = ({ projectId, releaseId }: LinkRecord, file: FileRecord | undefined) => {
    for (const name of file ? claimNames(file) : []) of(projectId).names.add(name)
    leave(releaseId === null ? undefined : releases.get(releaseId), file?.isPublic === true)
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
      const before = releases.get(id)
      const after = kind === 'put' ? (op[3] as ReleaseRecord) : undefined

      if (before && after?.state === before.state && after.channel === before.channel) continue
      leave(
        before,
        links.ofRelease(id).some(({ fileId }) => files.get(fileId)?.isPublic === true),
      )
    }
  }
  return byProject
}
