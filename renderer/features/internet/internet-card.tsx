import { Card, Skeleton, Title } from '@mantine/core'
import { LoadError } from '../../ui/feedback/load-error'
import { InternetState } from './internet-state'
import { useFirstCheck, useInternet } from './use-internet'

/** Whether people outside the network reach this host, why, and what to do. */
export function InternetCard({ isShared }: { isShared: boolean }) {
  const { data, error, refetch } = useInternet()
  useFirstCheck(data)
  const title = (
    <Title order={2} size="h3" id="internet">
      From anywhere
    </Title>
  )
  return (
    <Card component="section" aria-labelledby="internet">
      {data ? <InternetState title={title} view={data} isShared={isShared} /> : title}
      {!data && !error && <Skeleton h={96} mt="sm" role="status" aria-label="Loading" />}
      {!data && error && (
        <LoadError title="The state could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}
