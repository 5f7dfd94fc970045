import { offeredFiles } from '../packages'
import { hasChannel, type Repository } from '../repository'
import { oneDocument, type Feed } from './feed'

/**
 * Prints `RELEASES` of Squirrel.Windows (its docs/using/update-process.md): SHA-1, name and size of
 * each package.
 */
export const printReleases = ({ builds }: Feed): string =>
  builds
    .flatMap(({ sha1, filename, size }) =>
      sha1 === undefined ? [] : `${sha1.toUpperCase()} ${filename} ${size}\n`,
    )
    .reverse()
    .join('')

const releases = oneDocument({
  name: () => 'RELEASES',
  type: 'text/plain; charset=utf-8',
  most: 50,
  reads: ['sha1'],
  print: printReleases,
})

/** Serves `squirrel/{channel}/RELEASES` for Squirrel.Windows, and the packages beside it. */
export const squirrel: Repository = async (deps, request) => {
  const [channel = '', name = '', ...more] = request.path
  const document = await releases(deps, request)
  if (document) return document

  if (more.length > 0 || !hasChannel(deps, request.audience, channel)) return undefined

  for (const { file } of offeredFiles(request.audience, channel, request.source.takes))
    if (file.filename === name) return file
  return undefined
}
