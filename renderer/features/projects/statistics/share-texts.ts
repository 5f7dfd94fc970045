import type { StatisticsShare } from '../../../../server/contract'

type By = StatisticsShare['by']

export const shareTitles: Record<By, string> = {
  version: 'Downloads by version',
  platform: 'Downloads by platform',
  referrer: 'Views by referring site',
  tester: 'Downloads by tester link',
}

const unknown: Record<By, string> = {
  version: 'No version',
  platform: 'Other',
  referrer: 'Direct or unknown',
  tester: 'A revoked link',
}

/** Label of a share, such as '1.4.0' or 'Direct or unknown'. */
export const nameShare = ({ by, value, name }: StatisticsShare): string =>
  (by === 'tester' ? name : value) || unknown[by]

export interface ShareSum {
  share: StatisticsShare
  count: number
}

/** The shares in the order of the page, each summed over its days, the largest first. */
export const sumShares = (shares: readonly StatisticsShare[]): { by: By; rows: ShareSum[] }[] =>
  (Object.keys(shareTitles) as By[]).map((by) => ({
    by,
    rows: shares
      .filter((share) => share.by === by)
      .map((share) => ({ share, count: share.days.reduce((sum, count) => sum + count, 0) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count),
  }))
