import { EXPORT_MANIFEST, type ExportedReport } from '../../contract/export-format'
import type { PostRecord, ProjectRecord, ReleaseRecord } from '../../data/records/project-records'

/** The page of a project as Markdown. */
export const projectMarkdown = ({
  title,
  shortDescription,
  projectUrl,
  description,
}: Pick<ProjectRecord, 'title' | 'shortDescription' | 'projectUrl' | 'description'>): string =>
  join(`# ${title}`, shortDescription, projectUrl === null ? '' : `<${projectUrl}>`, description)

/** A release with its notes as Markdown. */
export const releaseMarkdown = (
  { title }: Pick<ProjectRecord, 'title'>,
  { version, channel, state, publishedAt, notes }: ReleaseRecord,
): string =>
  join(
    `# ${title} ${version}`,
    [channel, state, publishedAt?.slice(0, 10)].filter(Boolean).join(' · '),
    notes,
  )

/** A post as Markdown. */
export const postMarkdown = (
  { createdAt, updatedAt, content }: PostRecord,
  author: string,
): string =>
  join(
    [author, createdAt.slice(0, 10), updatedAt === createdAt ? '' : 'edited']
      .filter(Boolean)
      .join(' · '),
    content,
  )

/** A report with its answers as Markdown. What people wrote stands as they wrote it. */
export const reportMarkdown = (report: ExportedReport): string =>
  join(
    [report.kind, report.state, report.fixed_in, report.version, report.created_at.slice(0, 10)]
      .filter(Boolean)
      .join(' · '),
    [report.from, report.model, report.system, report.browser].filter(Boolean).join(' · '),
    report.signature ?? '',
    report.text,
    ...report.replies.map(({ author, text }) => `${author ?? 'The reporter'}: ${text}`),
  )

/** Explains an export to the person who opens it. */
export const EXPORT_README = `# An export from Slipway

- \`projects/\` has a folder for each project: \`project.md\` is its page, \`releases/\` has the
  notes and files of each release, \`files/\` the files without a release, \`news/\` its posts,
  \`reports/\` what people reported, and \`pictures/\` its icon, cover and screenshots. A file of
  several projects is in the first one.
- \`files/\` has the files that are in no project.
- \`${EXPORT_MANIFEST}\` names all of it, with dates, versions and SHA-256 digests. Another
  Slipway host imports the zip: Account, Import, or \`slipway import\`.

Not in it: passwords, API keys, sessions, links for testers, shares and file requests, previews,
webhooks, requests for access, subscribers, watched folders, items in the trash, downloads and page
views.
`

const join = (...paragraphs: string[]): string =>
  `${paragraphs.filter((text) => text !== '').join('\n\n')}\n`
