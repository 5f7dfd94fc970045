import { useIntersection } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'

/** Pixels below the screen. */
const NEAR = 300

/** Calls back when the element with the returned ref comes near the screen, while `enabled`. */
export function useReachEnd(enabled: boolean, onReach: () => unknown) {
  const { ref, entry } = useIntersection({ rootMargin: `${NEAR}px` })

  const isNear = entry?.isIntersecting ?? false
  const reach = useEffectEvent(() => {
    // New content above may have moved the element, which the observer reports later.
    const top = entry?.target.getBoundingClientRect().top ?? 0
    if (top <= window.innerHeight + NEAR) onReach()
  })

  useEffect(() => {
    if (enabled && isNear) reach()
  }, [enabled, isNear])

  return ref
}
