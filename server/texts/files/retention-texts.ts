import type { RetentionPlan } from '../../contract/projects/retention'
import { formatQuantity, formatSize } from '../format'

/** Describes the effect of a limit in one or two sentences. */
export function retentionText(
  { channel, keep, total, size }: RetentionPlan,
  isPreview = false,
): string {
  if (keep === null) return `${channel} keeps all releases`
  const limit =
    keep === 1
      ? `${channel} keeps its last release`
      : `${channel} keeps its last ${formatQuantity(keep, 'release')}`
  if (total === 0) return `${limit}. None is old enough to move to the trash`
  const verb = isPreview ? 'would move' : total === 1 ? 'moves' : 'move'
  return `${limit}. ${formatQuantity(total, 'release')} (${formatSize(size)}) ${verb} to the trash`
}

/** Explains why an older release is kept. */
export function stayText({ reason, filename }: RetentionPlan['stays'][number]): string {
  if (reason === 'rollout') return 'its rollout is not complete'
  if (reason === 'brought_back') return 'you restored it or published it again'
  if (reason === 'shared') return `${filename ?? 'a file'} has a share link that works`
  return `${filename ?? 'a file'} is the newest of its kind`
}
