/** Where this build of Slipway comes from. */
interface Addresses {
  homepage?: string
  /** Where the releases of the repository have their feed of the app. */
  feed: string
  /** Name and e-mail address, which packages for Linux must have. */
  maintainer: string
}

/**
 * All addresses that packages contain, from one: SLIPWAY_REPOSITORY, such as
 * `https://github.com/owner/slipway`, which the release workflow sets. A build without it names no
 * repository.
 */
export function addresses(env = process.env): Addresses {
  const { SLIPWAY_REPOSITORY: repository } = env
  if (repository === undefined || repository === '')
    return { feed: 'http://localhost', maintainer: 'Slipway <slipway@localhost>' }

  const url = URL.canParse(repository) ? new URL(repository) : undefined
  const [, owner] = /^\/([\w.-]+)\/[\w.-]+$/.exec(url?.pathname ?? '') ?? []
  if (url === undefined || owner === undefined)
    throw new Error(
      'SLIPWAY_REPOSITORY is not the address of a repository, such as ' +
        `https://github.com/owner/slipway: ${repository}`,
    )

  return {
    homepage: repository,
    feed: `${repository}/releases/latest/download`,
    // The address that GitHub gives to each account.
    maintainer: `${owner} <${owner}@users.noreply.${url.hostname}>`,
  }
}
