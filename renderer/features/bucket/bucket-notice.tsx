import { Anchor } from '@mantine/core'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'
import { Warning } from '../../ui/feedback/warning'
import { problemOf } from './bucket-words'
import { useBucket } from './use-bucket'

/** Shows problems of the bucket on the Host page. */
export function BucketNotice() {
  const { data } = useBucket()

  const problem = data && data.state !== 'off' ? problemOf(data) : undefined
  if (!problem) return null

  return (
    <Warning title={problem.line}>
      {problem.effect} {problem.advice}{' '}
      <Anchor component={Link} to={`${paths.hostSettings}#bucket`} fz="inherit" underline="always">
        Downloads from a bucket
      </Anchor>
    </Warning>
  )
}
