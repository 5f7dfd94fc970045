import { Group } from '@mantine/core'
import type { Project } from '../../../server/contract'
import { paths } from '../../paths'
import { LinkCard } from './link-card'
import { Monogram } from '../../ui/text/monogram'
import { Time } from '../../ui/text/time'
import { formatCount } from '../texts/format'

export function ProjectCard({ project }: { project: Project }) {
  const { title, slug, icon_url, summary, owner, stats, platforms, updated_at } = project
  return (
    <LinkCard
      to={paths.publicProject(slug)}
      title={title}
      subtitle={`by ${owner}`}
      picture={<Monogram name={title} icon={icon_url} />}
      text={summary}
      footer={
        <Group justify="space-between" gap={8} wrap="nowrap">
          <span>{platforms.join(', ')}</span>
          <span>
            {formatCount(stats.total_downloads)} {stats.total_downloads === 1 ? 'download' : 'downloads'} ·{' '}
            <Time value={updated_at} inSentence />
          </span>
        </Group>
      }
    />
  )
}
