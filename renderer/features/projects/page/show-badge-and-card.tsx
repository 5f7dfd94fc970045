import { escapeHtml } from '../../../../server/texts/format'
import { Stack, Text, Title } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { Project } from '../../../../server/contract'
import { CARD } from '../../../../server/contract/projects/embeds'
import { paths } from '../../../paths'
import { rememberControl } from '../../../ui/dialog/return-focus'
import { CodeBlock } from '../../../ui/text/code-block'

/**
 * Shows what other sites can show of a public project. `address`: of its page, as others reach it.
 */
export function showBadgeAndCard(project: Pick<Project, 'title' | 'slug'>, address: string): void {
  modals.open({
    title: 'Badge and card',
    size: 'lg',
    returnFocus: false,
    onClose: rememberControl(),
    children: <BadgeAndCard {...project} address={address} />,
  })
}

function BadgeAndCard({
  title,
  slug,
  address,
}: Pick<Project, 'title' | 'slug'> & { address: string }) {
  const own = paths.publicProject(slug)

  return (
    <Stack gap="lg">
      <Stack gap="xs" component="section">
        <Title order={3} size="md">
          Badge
        </Title>
        <Text c="dimmed">For a README. Use metric=downloads to show downloads.</Text>
        <img src={`${own}/badge.svg`} alt="Badge" height={20} style={{ alignSelf: 'flex-start' }} />
        <CodeBlock
          label="Badge as Markdown"
          code={`[![version](${address}/badge.svg)](${address})`}
        />
      </Stack>
      <Stack gap="xs" component="section">
        <Title order={3} size="md">
          Card
        </Title>
        <Text c="dimmed">For a website or blog. It follows the reader’s light or dark theme.</Text>
        <iframe
          src={`${own}/card`}
          title={`${title}, as other sites show it`}
          {...CARD}
          style={{ maxWidth: '100%', border: 0 }}
        />
        <CodeBlock label="Card as HTML" code={cardCode(title, address)} />
      </Stack>
    </Stack>
  )
}

const cardCode = (title: string, address: string) =>
  `<iframe src="${address}/card" width="${CARD.width}" height="${CARD.height}" ` +
  `style="border:0" loading="lazy" title="${escapeHtml(title)}"></iframe>`
