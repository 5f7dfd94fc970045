import { Card, SimpleGrid, Text, Title } from '@mantine/core'
import type { StatisticsShare } from '../../../../server/contract'
import { formatWhole } from '../../../lib/texts/format'
import { Disclosure } from '../../../ui/layout/disclosure'
import { nameShare, shareTitles, sumShares, type ShareSum } from './share-texts'
import classes from './shares.module.css'

/** Rows of a card before the rest is folded. */
const SHOWN = 6

/** Downloads by version, platform and tester link, and views by referrer. */
export function Shares({ shares }: { shares: readonly StatisticsShare[] }) {
  const cards = sumShares(shares).filter(({ rows }) => rows.length > 0)
  if (cards.length === 0) return null

  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      {cards.map(({ by, rows }) => (
        <Card key={by} component="section" padding="md" aria-label={shareTitles[by]}>
          <Title order={2} size="h4" c="dimmed" mb="xs">
            {shareTitles[by]}
          </Title>
          <Bars rows={rows.slice(0, SHOWN)} most={rows[0]?.count ?? 1} />
          {rows.length > SHOWN && (
            <Disclosure label={`${formatWhole(rows.length - SHOWN)} more`}>
              <Bars rows={rows.slice(SHOWN)} most={rows[0]?.count ?? 1} />
            </Disclosure>
          )}
        </Card>
      ))}
    </SimpleGrid>
  )
}

function Bars({ rows, most }: { rows: readonly ShareSum[]; most: number }) {
  return (
    <ul className={classes.bars}>
      {rows.map(({ share, count }) => (
        <li key={share.value} className={classes.bar}>
          <span className={classes.fill} style={{ width: `${(100 * count) / most}%` }} />
          <Text component="bdi" truncate>
            {nameShare(share)}
          </Text>
          <Text component="span" className={classes.count}>
            {formatWhole(count)}
          </Text>
        </li>
      ))}
    </ul>
  )
}
