import type { Release } from '../../../../server/contract'
import { platformOfFilename } from '../../../../server/contract/files/formats'
import { ApiError, type Client } from '../../../lib/client/api-client'
import { useLoad } from '../../../lib/client/use-load'
import { queryKeys } from '../../../lib/client/query-keys'

/** Form values of the release that files join. */
export interface ReleaseWish {
  version: string
  /** Channel of a new release; empty means the default. */
  channel: string
  isDraft: boolean
}

/** The newest releases of a project; undefined while they load. `projectId`: undefined for none. */
export function useNewestReleases(projectId: string | undefined): readonly Release[] | undefined {
  const { data } = useLoad(
    queryKeys.projects.releases(projectId ?? '', { limit: 100 }),
    (client, signal) => client.releases.list({ id: projectId ?? '', limit: 100 }, signal),
    { enabled: projectId !== undefined },
  )
  return data?.releases
}

/**
 * Creates the release if a person decided its channel or state, so that its first file appears
 * there.
 */
export async function prepareRelease(
  client: Client,
  projectId: string,
  wish: ReleaseWish,
): Promise<void> {
  const version = wish.version.trim()
  const channel = wish.channel.trim().toLowerCase()
  if (version === '' || (channel === '' && !wish.isDraft)) return

  const state = wish.isDraft ? 'draft' : 'published'

  try {
    await client.releases.create({
      id: projectId,
      version,
      state,
      ...(channel === '' ? {} : { channel }),
    })
  } catch (cause) {
    // Another person was faster: the files join that release.
    if (!(cause instanceof ApiError && cause.code === 'taken')) throw cause
  }
}

/** The platform that all names say, or an empty text. */
export function commonPlatform(filenames: readonly string[]): string {
  const platforms = new Set(filenames.map(platformOfFilename))
  const [only] = platforms
  return platforms.size === 1 && only ? only : ''
}
