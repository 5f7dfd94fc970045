import type Router from '@koa/router'
import { userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import { presentFile } from '../files/presenter'
import { releasePolicy, seenBy } from '../projects/release-policy'
import type { ProjectRecord } from '../../data/records/project-records'

type Deps = Rooms<'accounts' | 'files' | 'projects' | 'transfers'>

/** The most results of each kind. */
const MOST = 6

/**
 * Searches the lists of a user: files by the index of filenames, and all of their projects, which
 * are few.
 */
export function searchRoutes(router: Router, context: Deps): void {
  serve(router, api.search.find, ({ actor, input }) => {
    const text = input.text.toLowerCase()
    const projects = context.projects.store.ofMember(userIdOf(actor))

    return {
      results: {
        projects: take(findProjects(projects, text)).map((project) => ({
          ...presentName(project),
          owner: context.accounts.users.nameOf(project.ownerId),
        })),
        releases: take(findReleases(context, projects, actor, text)),
        files: findFiles(context, actor, text),
        people: actor.kind === 'host' ? take(findPeople(context, text)) : [],
      },
    }
  })
}

function* findProjects(projects: readonly ProjectRecord[], text: string): Generator<ProjectRecord> {
  for (const project of projects)
    if (`${project.title}\n${project.shortDescription}`.toLowerCase().includes(text)) yield project
}

function* findReleases(
  context: Deps,
  projects: readonly ProjectRecord[],
  actor: Actor,
  text: string,
) {
  const words = text.split(' ')

  for (const project of projects) {
    const title = project.title.toLowerCase()
    // The version must contain the words that the title lacks.
    const missing = words.filter((word) => !title.includes(word))

    for (const release of context.projects.store.releases.ofProject(project.id)) {
      const { version, channel, state } = release
      if (!missing.every((word) => version.toLowerCase().includes(word))) continue
      const can = releasePolicy.abilities(actor, seenBy(actor, project, release))
      if (can.includes('read')) yield { ...presentName(project), version, channel, state, can }
    }
  }
}

const findFiles = (context: Deps, actor: Actor, text: string) =>
  context.files.store
    .searchOwn(
      userIdOf(actor),
      { text, isPublic: undefined, isReceived: false, sort: 'newest' },
      { limit: MOST, offset: 0 },
    )
    .values.map((file) => presentFile(context, file, actor))
    .map(({ file_id, filename, version, is_public }) => ({ file_id, filename, version, is_public }))

function* findPeople({ accounts: { users } }: Deps, text: string) {
  for (const { id, username, email } of users.all())
    if (username.toLowerCase().includes(text) || email.toLowerCase().includes(text))
      yield { user_id: id, username, email }
}

const presentName = ({ id, slug, title, isPublic }: ProjectRecord) => ({
  project_id: id,
  slug,
  title,
  is_public: isPublic,
})

function take<T>(all: Iterable<T>): T[] {
  const some: T[] = []
  for (const one of all) if (some.push(one) === MOST) break
  return some
}
