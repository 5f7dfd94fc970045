import { releaseId as releaseIdOf } from '../library/migrations/releases-from-links'
import { fileIdsIn } from '../records/trash-record'
import type { Records } from './records'

/** All contradictions between records, one sentence each. A transaction never leaves any. */
export function inconsistencies(records: Records): string[] {
  return [
    ...accountProblems(records),
    ...fileProblems(records),
    ...projectProblems(records),
    ...slugProblems(records),
    ...linkProblems(records),
    ...releaseProblems(records),
    ...testerProblems(records),
    ...accessRequestProblems(records),
    ...previewProblems(records),
    ...shareLinkProblems(records),
    ...fileRequestProblems(records),
    ...reportProblems(records),
  ]
}

function* accountProblems({ users, deletedAccounts, trash }: Records): Generator<string> {
  const deleted = [...deletedAccounts.values()].flatMap(({ user }) => user ?? [])
  const names = [...users.values(), ...deleted].flatMap(({ username, email }) => [
    username.toLowerCase(),
    `<${email.toLowerCase()}>`,
  ])
  for (const name of findRepeated(names)) yield `two accounts share ${name}`

  for (const { id, name, ownerId, withAccount } of trash.values())
    if (withAccount && !deletedAccounts.has(ownerId))
      yield `${name} (${id}) belongs to a deleted account that does not exist`
}

function* fileProblems({ files, users, trash, projects, reports }: Records): Generator<string> {
  const inTrash = fileIdsIn(trash.values())
  for (const { id, ownerId, filename } of files.values()) {
    if (!users.has(ownerId)) yield `${filename} belongs to an account that does not exist`
    if (inTrash.has(id)) yield `${filename} is in the trash and is not`
  }
  const pictures = [...projects.values()].flatMap((project) => project.pictures ?? [])
  const attachments = [...reports.values()].flatMap((report) => report.attachments)
  const stored = [...files.values(), ...pictures, ...attachments]
  for (const blobId of findRepeated(stored.map((it) => it.blobId))) {
    yield `two files or pictures share blob ${blobId}`
  }
}

function* projectProblems({ projects, users, posts }: Records): Generator<string> {
  for (const { title, ownerId } of projects.values()) {
    if (!users.has(ownerId)) yield `${title} belongs to an account that does not exist`
  }
  for (const { id, projectId } of posts.values()) {
    if (!projects.has(projectId)) yield `post ${id} belongs to a project that does not exist`
  }
  for (const slug of findRepeated([...projects.values()].map((project) => project.slug))) {
    yield `two projects share the address ${slug}`
  }
}

function* slugProblems({ projects, reservedSlugs }: Records): Generator<string> {
  for (const { slug, ownerId } of projects.values()) {
    const reserved = reservedSlugs.get(slug)
    if (reserved && reserved.ownerId !== ownerId)
      yield `the address ${slug} is reserved for another account`
  }
}

/** A project may link to a file in the trash; restoring the file puts it back. */
function* linkProblems({ links, releases, projects, files, trash }: Records): Generator<string> {
  const inTrash = fileIdsIn(trash.values())
  for (const { id, projectId, fileId, releaseId } of links.values()) {
    const project = projects.get(projectId)

    if (!project) yield `link ${id} belongs to a project that does not exist`
    else if (!files.has(fileId) && !inTrash.has(fileId)) {
      yield `${project.title} offers a file that does not exist (${fileId})`
    }

    if (releaseId !== null && releases.get(releaseId)?.projectId !== projectId) {
      yield `link ${id} belongs to a release that its project does not have`
    }
  }
}

function* releaseProblems({ releases, projects }: Records): Generator<string> {
  for (const { id, projectId, version, ownerId } of releases.values()) {
    if (projects.get(projectId)?.ownerId !== ownerId) {
      yield `release ${version} belongs to a project that does not exist (${projectId})`
    } else if (id !== releaseIdOf(projectId, version))
      yield `release ${version} has the id of another one (${id})`
  }
}

/** A tester link stays while its project is in the trash. */
function* testerProblems({ testers, projects, trash }: Records): Generator<string> {
  for (const { id, name, projectId } of testers.values()) {
    if (projects.has(projectId) || trash.has(projectId)) continue
    yield `the tester link ${name} (${id}) belongs to a project that does not exist`
  }
}

/** A request for access stays while its project is in the trash. */
function* accessRequestProblems({ accessRequests, projects, trash }: Records): Generator<string> {
  for (const { id, projectId } of accessRequests.values()) {
    if (projects.has(projectId) || trash.has(projectId)) continue
    yield `the request for access ${id} belongs to a project that does not exist`
  }
}

/** A preview stays while its project is in the trash. */
function* previewProblems({ previews, projects, trash }: Records): Generator<string> {
  for (const { id, name, projectId } of previews.values()) {
    if (projects.has(projectId) || trash.has(projectId)) continue
    yield `the preview ${name} (${id}) belongs to a project that does not exist`
  }
}

/** A share link stays while its file is in the trash. */
function* shareLinkProblems({ shareLinks, files, trash }: Records): Generator<string> {
  const inTrash = fileIdsIn(trash.values())
  for (const { id, fileId } of shareLinks.values()) {
    if (files.has(fileId) || inTrash.has(fileId)) continue
    yield `the share link ${id} belongs to a file that does not exist`
  }
}

function* fileRequestProblems({ fileRequests, users }: Records): Generator<string> {
  for (const { id, ownerId } of fileRequests.values())
    if (!users.has(ownerId)) yield `the file request ${id} belongs to no account`
}

/** A report stays while its project is in the trash. */
function* reportProblems({ reports, projects, trash }: Records): Generator<string> {
  for (const { id, projectId } of reports.values()) {
    if (projects.has(projectId) || trash.has(projectId)) continue
    yield `the report ${id} belongs to a project that does not exist`
  }
}

function findRepeated(values: readonly string[]): string[] {
  const uniqueValues = new Set<string>()
  return values.filter((value) => uniqueValues.has(value) || !uniqueValues.add(value))
}
