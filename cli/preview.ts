import type { Preview } from '../server/contract/projects/previews'
import { PREVIEW_BUILDS, PREVIEW_DAYS, PREVIEW_TITLE_MAX } from '../server/contract/limits'
import { cutText } from '../server/texts/format'
import { endedComment, previewComment } from '../server/texts/preview-comment'
import { Failure } from './failure'
import { readText, SILENT_MS, type Host } from './host'
import type { LocalFile } from './local-file'
import { readSource } from './push'
import { parseCount } from './share'
import { transfer } from './transfer'

export interface PreviewOptions {
  name?: string | undefined
  title?: string | undefined
  /** The page of the pull request. */
  request?: string | undefined
  commit?: string | undefined
  days?: string | undefined
  keep?: string | undefined
  /** Write the comment of the pull request of this CI job. */
  comment?: boolean | undefined
}

/** A preview with its comment, as `--json` prints it. */
export type Previewed = Preview & { markdown: string }

/**
 * Uploads the files of a build, and shows them on the page of a preview. The page changes at once,
 * when all files are on the host.
 */
export async function preview(
  host: Host,
  project: string,
  paths: readonly string[],
  options: PreviewOptions,
): Promise<Previewed> {
  // Before the upload: a wrong option, path or key must leave nothing on the host.
  const address = toAddress(project, options.name)
  const days = parseCount('--days', options.days, PREVIEW_DAYS.most)
  const keep = parseCount('--keep', options.keep, PREVIEW_BUILDS.most)
  const sources: LocalFile[] = []
  for (const path of paths) sources.push(await readSource(host, path))

  const { commit, request: request_url } = options
  // A stranger who opens a pull request chooses how long it is.
  const title = options.title && cutText(options.title, PREVIEW_TITLE_MAX)
  const fields = { title, commit, request_url, days, keep }
  const { preview_id } = await put(host, address, fields)

  const file_ids: string[] = []
  for (const source of sources) {
    const { file_id } = await transfer(host, source, {
      is_public: 'false',
      project_id: project,
      for_preview: 'true',
    })
    file_ids.push(file_id)
  }

  const made = await put(host, address, { ...fields, preview_id, file_ids })
  const markdown = previewComment(project, made)
  if (options.comment) await comment(host, markdown)
  return { ...made, markdown }
}

/** Ends a preview. One that has ended before is no failure: a request can be closed twice. */
export async function endPreview(
  host: Host,
  project: string,
  { name, comment: isCommented }: PreviewOptions,
): Promise<{ ended: boolean }> {
  const address = toAddress(project, name)

  try {
    await host.json(address, { method: 'DELETE' })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error
    // Throws if it is the project that does not exist, or that the key may not see.
    await host.json(address.replace(/\/[^/]+$/, ''))
    return { ended: false }
  }

  if (isCommented) await comment(host, endedComment(project, name ?? ''))
  return { ended: true }
}

function toAddress(project: string, name: string | undefined): string {
  if (name === undefined) throw new Failure('usage', 'Name the preview: --name pr-128')
  return `/api/projects/${encodeURIComponent(project)}/previews/${encodeURIComponent(name)}`
}

/** Fields that are undefined are left out. */
const put = async (host: Host, address: string, fields: object) => {
  const { preview: made } = await host.json<{ preview: Preview }>(address, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  return made
}

/** The preview is there without its comment, so a forge that refuses it is no failure. */
async function comment(host: Host, markdown: string): Promise<void> {
  try {
    await upsertComment(process.env, markdown)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    host.tell(`The comment could not be written: ${reason}`)
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The comments of one pull request, in the API of a forge. */
interface Forge {
  /** Lists them, and takes a new one. */
  comments: string
  /** Changes one. */
  commentAt: (id: number) => string
  changeMethod: 'PATCH' | 'PUT'
  headers: Record<string, string>
}

/** The most pages of 100 comments that are searched. */
const MOST_PAGES = 20

/**
 * Writes the comment of the pull request that this CI job belongs to, or replaces the one that
 * begins with the same line. Throws `Failure`.
 */
async function upsertComment(env: Environment, markdown: string): Promise<void> {
  const forge = findForge(env)
  const [marker = ''] = markdown.split('\n')
  const id = await findComment(forge, marker)

  const address = id === undefined ? forge.comments : forge.commentAt(id)
  const method = id === undefined ? 'POST' : forge.changeMethod
  await call(forge, address, { method, body: JSON.stringify({ body: markdown }) })
}

/** The API and the pull request of a job on GitHub, Forgejo, Gitea or GitLab. */
function findForge(env: Environment): Forge {
  const {
    GITHUB_API_URL,
    GITHUB_REPOSITORY,
    GITHUB_TOKEN,
    SLIPWAY_REQUEST,
    CI_API_V4_URL,
    CI_PROJECT_ID,
    CI_MERGE_REQUEST_IID,
    GITLAB_TOKEN,
  } = env

  if (CI_API_V4_URL && CI_PROJECT_ID && CI_MERGE_REQUEST_IID) {
    if (!GITLAB_TOKEN) throw new Failure('usage', 'Set GITLAB_TOKEN, with the scope "api"')
    const request = `/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}`
    const comments = `${CI_API_V4_URL}${request}/notes`
    return {
      comments,
      commentAt: (id) => `${comments}/${id}`,
      changeMethod: 'PUT',
      headers: { 'private-token': GITLAB_TOKEN },
    }
  }

  if (!GITHUB_API_URL || !GITHUB_REPOSITORY)
    throw new Failure('usage', 'This is no job of GitHub, Forgejo, Gitea or GitLab')
  if (!SLIPWAY_REQUEST)
    throw new Failure('usage', 'Set SLIPWAY_REQUEST to the number of the request')
  if (!GITHUB_TOKEN) throw new Failure('usage', 'Set GITHUB_TOKEN, which may write comments')

  const issues = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`
  return {
    comments: `${issues}/${encodeURIComponent(SLIPWAY_REQUEST)}/comments`,
    commentAt: (id) => `${issues}/comments/${id}`,
    changeMethod: 'PATCH',
    headers: { authorization: `Bearer ${GITHUB_TOKEN}` },
  }
}

interface Comment {
  id: number
  body: string
  user?: { type?: string }
  /** GitHub only: what its author is to the repository. */
  author_association?: string
}

/** A stranger can write the marker, too, and change their comment once it has our words. */
const isTrusted = ({ user, author_association: association }: Comment) =>
  association === undefined ||
  user?.type === 'Bot' ||
  ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(association)

async function findComment(forge: Forge, marker: string): Promise<number | undefined> {
  let before: number | undefined

  for (let page = 1; page <= MOST_PAGES; page++) {
    const text = await call(forge, `${forge.comments}?per_page=100&page=${page}`, { method: 'GET' })
    const comments = JSON.parse(text) as Comment[]
    const found = comments.find((comment) => comment.body.startsWith(marker) && isTrusted(comment))
    if (found) return found.id

    // Forgejo and Gitea answer each page with all comments.
    const [first] = comments
    if (first === undefined || first.id === before) return undefined
    before = first.id
  }

  return undefined
}

async function call(
  { headers }: Forge,
  address: string,
  request: { method: string; body?: string },
): Promise<string> {
  const reply = await fetch(address, {
    ...request,
    // A redirect must not carry the token elsewhere.
    redirect: 'error',
    headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
    signal: AbortSignal.timeout(SILENT_MS),
  })

  const text = await readText(reply)
  if (!reply.ok) throw new Failure('failed', `${new URL(address).host} answered ${reply.status}`)
  return text
}
