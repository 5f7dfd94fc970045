import { Anchor, Button, Card, Group, Text } from '@mantine/core'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'
import { Warning } from '../../ui/feedback/warning'
import { problemOf, stateLine } from './bucket-words'
import { useBucket } from './use-bucket'

/** Shows problems of the bucket on the Host page. */
export function BucketNotice() {
  const problem = useProblem()
  if (!problem) return null

  return (
    <Warning title={problem.line}>
      {problem.effect} {problem.advice}{' '}
      <Anchor component={Link} to={paths.hostBucket} fz="inherit" underline="always">
        Downloads from a bucket
      </Anchor>
    </Warning>
  )
}

/** From where visitors download, with the way to the bucket. */
export function BucketSummary() {
  const { data } = useBucket()
  if (useProblem() || !data) return null

  return (
    <Card component="section" aria-label="Downloads" padding="md">
      <Group justify="space-between" gap="sm">
        <Text>{stateLine(data)}</Text>
        <Button component={Link} to={paths.hostBucket} variant="default">
          {data.state === 'off' ? 'Use a bucket' : 'Bucket'}
        </Button>
      </Group>
    </Card>
  )
}

function useProblem() {
  const { data } = useBucket()
  return data && data.state !== 'off' ? problemOf(data) : undefined
}
