import { Failure } from './failure'
import { readText, SILENT_MS } from './host'

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
export async function upsertComment(env: Environment, markdown: string): Promise<void> {
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

async function findComment(forge: Forge, marker: string): Promise<number | undefined> {
  for (let page = 1; page <= MOST_PAGES; page++) {
    const text = await call(forge, `${forge.comments}?per_page=100&page=${page}`, { method: 'GET' })
    const comments = JSON.parse(text) as { id: number; body: string }[]
    const found = comments.find(({ body }) => body.startsWith(marker))
    if (found) return found.id
    if (comments.length === 0) return undefined
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
