import { fillRoute, routes } from '../../server/contract/routes'

const SCHEME = 'slipway:'
const PROJECT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/

/**
 * The page of a link such as `slipway://open?project=my-app`, or undefined. Web pages can send
 * links: no other form counts.
 */
export function pathOfLink(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined

  const { protocol, host, pathname, username, hash, searchParams } = new URL(link)
  if (
    protocol !== SCHEME ||
    host.toLowerCase() !== 'open' ||
    !['', '/'].includes(pathname) ||
    username !== '' ||
    hash !== ''
  )
    return

  const value = searchParams.get('project')
  if (value === null || searchParams.size !== 1) return undefined

  return PROJECT.test(value) ? fillRoute(routes.publicProject, { slug: value }) : undefined
}

export function pathInArguments(argv: readonly string[]): string | undefined {
  const link = argv.find((argument) => argument.toLowerCase().startsWith(SCHEME))
  return link === undefined ? undefined : pathOfLink(link)
}
