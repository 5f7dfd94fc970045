import { Card, Skeleton, Title } from '@mantine/core'
import { Loaded } from '../../ui/feedback/loaded'
import { InternetState } from './internet-state'
import { useFirstCheck, useInternet } from './use-internet'

/** Whether people outside the network reach this host, why, and what to do. */
export function InternetCard({ isShared }: { isShared: boolean }) {
  const internet = useInternet()
  useFirstCheck(internet.data)

  const title = (
    <Title order={2} size="h3" id="internet">
      From anywhere
    </Title>
  )

  return (
    <Card component="section" aria-labelledby="internet">
      {!internet.data && title}
      <Loaded
        query={internet}
        title="The state could not be loaded"
        skeleton={<Skeleton h={96} mt="sm" role="status" aria-label="Loading" />}
      >
        {(view) => <InternetState title={title} view={view} isShared={isShared} />}
      </Loaded>
    </Card>
  )
}
