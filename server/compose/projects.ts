import { AccessRequestStore } from '../features/access-requests/access-request-store'
import { PostStore } from '../features/posts/post-store'
import { foreseeWarnings, linkingTo } from '../features/links/linking'
import { rememberPast } from '../features/projects/past'
import { projectPolicy, resolveRole } from '../features/projects/policy'
import { Signal } from '../core/signal'
import type { ProjectEvent } from '../features/projects/project-events'
import { ProjectStore } from '../features/projects/project-store'
import { PreviewStore } from '../features/previews/preview-store'
import { ReportStore } from '../features/reports/report-store'
import { TesterStore } from '../features/testers/tester-store'
import { WatchStore } from '../features/watches/watch-store'
import type { Foundation } from './foundation'
import type { FileRecord } from '../data/records/file-records'

export type Projects = ReturnType<typeof composeProjects>

/** Composes projects with their links, releases, posts, testers, reports and watched folders. */
export function composeProjects(
  { data: { library, blobs, secrets, clock }, sources, allowance }: Foundation,
  fileOf: (id: string) => FileRecord | undefined,
) {
  const store = new ProjectStore(library, sources, allowance)
  rememberPast(library, store)
  const events = new Signal<ProjectEvent>()
  const testers = new TesterStore(library, sources)
  const linkDeps = { projects: store, events, fileOf, now: () => sources.now() }
  return {
    store,
    events,
    policy: projectPolicy,
    resolveRole,
    linkingTo: linkingTo(linkDeps),
    foreseeWarnings: foreseeWarnings.bind(undefined, linkDeps),
    posts: new PostStore(library, sources, allowance),
    watches: new WatchStore(library, sources),
    testers,
    accessRequests: new AccessRequestStore({
      ...{ library, sources, clock, allowance, testers },
      projectOf: (id) => store.find(id),
    }),
    previews: new PreviewStore({ library, sources, sessionKeys: secrets.sessionKeys }),
    reports: new ReportStore({ library, blobs, sources, clock, allowance }),
  }
}
