import type { Preview } from '../contract/projects/previews'
import { formatDate, formatSize } from './format'
import { shortCommit } from './preview-view'

type Shown = Pick<Preview, 'name' | 'title' | 'url' | 'expires_at' | 'builds'>

/** The line that a comment begins with, by which the next push finds it. */
const commentMarker = (project: string, name: string): string =>
  `<!-- slipway preview ${project}/${name} -->`

/**
 * The comment of a pull request about its preview, in Markdown. A title and filenames may come from
 * strangers, so they are code, in which a forge finds neither markup nor mentions.
 */
export function previewComment(
  project: string,
  { name, title, url, expires_at, builds: [newest] }: Shown,
): string {
  const details = [
    newest && `build ${newest.number}`,
    newest?.commit != null && `\`${shortCommit(newest.commit)}\``,
    `until ${formatDate(expires_at)}`,
  ]

  return [
    commentMarker(project, name),
    `**[Preview ${name}](${url ?? ''})** · ${details.filter(Boolean).join(' · ')}`,
    ...(title === '' ? [] : ['', toCode(title)]),
    '',
    ...(newest?.files ?? []).map(
      ({ filename, size }) => `- ${toCode(filename)} (${formatSize(size)})`,
    ),
  ]
    .join('\n')
    .trimEnd()
}

/** The comment once its preview has ended. */
export const endedComment = (project: string, name: string): string =>
  `${commentMarker(project, name)}\nThe preview ${name} has ended.`

const toCode = (text: string): string => `\`${text.replace(/`/g, "'")}\``
