import type { JWTPayload } from 'jose'
import type { PublisherProvider } from '../../contract/projects/trusted-publishers'

/** What the token of a CI job says about it. */
export interface CiJob {
  repository: string
  /** The forge's own id of the repository, which a new one of the same name does not have. */
  repositoryId: string
  branch: string | undefined
  tag: string | undefined
  environment: string | undefined
  /**
   * Whether it runs after another one (GitHub's `workflow_run`), which may be of a stranger's pull
   * request: its token still names the default branch.
   */
  isAfterAnother: boolean
}

type Claim = (name: string) => string | undefined

const readers: Readonly<
  Record<
    PublisherProvider,
    (claim: Claim) => {
      [Name in 'repository' | 'repositoryId' | 'branch' | 'tag']: string | undefined
    }
  >
> = {
  /** GitHub, "OpenID Connect reference". */
  github: (claim) => ({
    repository: claim('repository'),
    repositoryId: claim('repository_id'),
    branch: /^refs\/heads\/(.+)$/.exec(claim('ref') ?? '')?.[1],
    tag: /^refs\/tags\/(.+)$/.exec(claim('ref') ?? '')?.[1],
  }),
  /** GitLab, "OpenID Connect (OIDC) authentication using ID tokens", "Token payload". */
  gitlab: (claim) => ({
    repository: claim('project_path'),
    repositoryId: claim('project_id'),
    branch: claim('ref_type') === 'branch' ? claim('ref') : undefined,
    tag: claim('ref_type') === 'tag' ? claim('ref') : undefined,
  }),
}

/**
 * Reads the claims of a token. Undefined if it is not of a job, or of one that runs the code of a
 * stranger's pull request with the rights of the target branch.
 */
export function readJob(provider: PublisherProvider, claims: JWTPayload): CiJob | undefined {
  const claim: Claim = (name) => {
    const value = claims[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }

  const { repository, repositoryId, branch, tag } = readers[provider](claim)
  if (repository === undefined || repositoryId === undefined) return undefined
  const event = claim('event_name')
  if (event === 'pull_request_target') return undefined
  return {
    repository,
    repositoryId,
    branch,
    tag,
    environment: claim('environment'),
    isAfterAnother: event === 'workflow_run',
  }
}
