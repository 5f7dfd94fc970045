import { newestOf, type Build, type Document, type Feed } from './feed'

const PROCESSORS = { arm64: 'on_arm', x64: 'on_intel' } as const

/**
 * Prints a cask of Homebrew (docs.brew.sh, "Cask Cookbook"). Returns undefined if there is no app.
 */
export function printCask(feed: Feed): string | undefined {
  // Prefer a zip: it contains the name of the app's folder.
  const apps = [...newestOf(feed)].sort(
    (a, b) => Number(b.name !== undefined) - Number(a.name !== undefined),
  )

  const forBoth = apps.find(({ architectures: names }) => names.length === 0 || names.length > 1)
  const single = Object.entries(PROCESSORS).flatMap(([name, block]) => {
    const build = apps.find(({ architectures }) => architectures.includes(name))
    return build ? [`  ${block} do\n${source(build, '    ')}  end\n`] : []
  })

  const [newest] = apps
  if (!newest) return undefined

  const known = appIn(newest) ?? feed.builds.map(appIn).find((name) => name !== undefined)
  const app = known ?? `${feed.title}.app`

  return `cask ${ruby(feed.slug)} do
  version ${ruby(newest.release)}
${forBoth ? source(forBoth, '  ') : single.join('')}  name ${ruby(feed.title)}
  desc ${ruby(feed.summary)}
  homepage ${ruby(feed.page)}

  app ${ruby(app)}
end
`
}

/** Returns the folder of the app. It is unknown for a disk image. */
const appIn = ({ details, name }: Build) =>
  details?.bundle ?? (name === undefined ? undefined : `${name}.app`)

const source = ({ sha256, url }: Build, indent: string) =>
  `${indent}sha256 ${ruby(sha256)}\n${indent}url ${ruby(url)}\n`

/** Quotes a string so that Ruby evaluates nothing in it. */
const ruby = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`

/** A cask, `{slug}.rb`. */
export const cask: Document = {
  name: (slug) => `${slug}.rb`,
  type: 'text/plain; charset=utf-8',
  // For a disk image, an earlier zip has the name of the app's folder.
  most: 5,
  reads: ['details'],
  print: printCask,
}
