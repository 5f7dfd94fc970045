import type { Report } from '../../../server/contract'
import { cutText } from '../../../server/texts/format'
import { escapeMarkdown, withoutMentions } from '../../../server/texts/markdown/escape-markdown'
import { describeDevice, kindTexts, nameReporter } from './texts'

/** The most characters of a title. */
const TITLE = 80

/**
 * Writes a report as Markdown, for an issue in another tracker. What a person wrote is quoted, so
 * that it cannot close the quote or mention anybody. `linkOf`: the address of a file.
 */
export function writeIssue(report: Report, linkOf: (attachmentId: string) => string): string {
  const { beginning, kind, version, attachments, replies, created_at } = report
  const facts = [
    ['Version', version],
    ['Signature', report.signature],
    ['Reports', report.group && report.group.reports > 1 ? String(report.group.reports) : null],
    ['Device', describeDevice(report) || null],
    ['Language', report.device.language],
    ['Reported by', nameReporter(report)],
    ['Reported on', created_at.slice(0, 10)],
  ].flatMap(([name, value]) => (value == null ? [] : [`- ${name}: ${plain(value)}`]))

  const files = attachments.map(({ attachment_id, filename }) => {
    return `- [${plain(filename)}](${linkOf(attachment_id)})`
  })
  const answers = replies.map(
    ({ username, text }) => `**${plain(username ?? 'The reporter')}:**\n\n${quote(text)}`,
  )

  return [
    `# ${kindTexts[kind]}: ${plain(cutText(beginning, TITLE))}`,
    quote(report.text),
    facts.join('\n'),
    files.length > 0 ? `Files (sign-in needed):\n\n${files.join('\n')}` : '',
    ...answers,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const plain = (text: string): string => withoutMentions(escapeMarkdown(text))

const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${plain(line)}`)
    .join('\n')
