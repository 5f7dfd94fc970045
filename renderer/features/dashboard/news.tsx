import { Anchor, Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { ProjectNews } from '../../../server/contract'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { formatQuantity } from '../../lib/texts/format'
import { Loaded } from '../../ui/feedback/loaded'
import { Time } from '../../ui/text/time'
import { paths } from '../../paths'
import classes from './dashboard.module.css'

/** Loads the activity in the account's projects since yesterday. */
export const useNews = () =>
  useLoad(queryKeys.projects.news, (client, signal) => client.projects.news({}, signal))

/** Activity in the account's projects since yesterday, if there is any. */
export function News() {
  const news = useNews()
  if (news.data?.news.length === 0) return null

  return (
    <Stack component="section" gap="sm" aria-labelledby="news">
      <Title order={2} size="h3" id="news">
        Since yesterday
      </Title>
      <Card padding="md">
        <Loaded query={news} title="The news could not be loaded" skeleton={<Skeleton h={48} />}>
          {({ news: items }) => <Items items={items} />}
        </Loaded>
      </Card>
    </Stack>
  )
}

const Items = ({ items }: { items: readonly ProjectNews[] }) => (
  <ul className={classes.news}>
    {items.map((item) => (
      <li key={JSON.stringify(item)}>
        <Sentence item={item} />
        {'at' in item && (
          <Text component="span" c="dimmed">
            <Time value={item.at} />
          </Text>
        )}
      </li>
    ))}
  </ul>
)

function Sentence({ item }: { item: ProjectNews }) {
  const { kind, project_id: id, title } = item

  const link = (to: string) => (
    <Anchor component={Link} to={to} underline="always">
      <bdi>{title}</bdi>
    </Anchor>
  )

  if (kind === 'downloads') {
    const count = formatQuantity(item.count, 'download')
    return (
      <span>
        {count} of {item.version === '' && 'files without a version of '}
        {link(paths.projectStatistics(id))} <bdi>{item.version}</bdi>
      </span>
    )
  }

  if (kind === 'build') {
    return (
      <span>
        {item.username} added <bdi>{item.filename}</bdi> to {link(paths.project(id))}
      </span>
    )
  }

  if (kind === 'post') {
    return (
      <span>
        {item.username} posted news {item.count > 1 && `${item.count} times `}in{' '}
        {link(paths.projectUpdates(id))}
      </span>
    )
  }

  if (kind === 'webhook') {
    return (
      <span>
        The webhook “<bdi>{item.name}</bdi>” of {link(`${paths.projectSettings(id)}#webhooks`)} was
        turned off
      </span>
    )
  }

  return (
    <span>
      Testers of “<bdi>{item.name}</bdi>” opened {link(paths.project(id))}
    </span>
  )
}
