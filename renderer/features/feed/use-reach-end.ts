import { useIntersection } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'

/** Calls back when the element with the returned ref comes near the screen, as long as `enabled`. */
export function useReachEnd(enabled: boolean, onReach: () => unknown) {
  const { ref, entry } = useIntersection({ rootMargin: '300px' })
  const isNear = entry?.isIntersecting ?? false
  const reach = useEffectEvent(() => void onReach())
  useEffect(() => {
    if (enabled && isNear) reach()
  }, [enabled, isNear])
  return ref
}
