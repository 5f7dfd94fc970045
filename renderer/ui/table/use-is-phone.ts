import { em, useMantineTheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

/** On a phone, rows of buttons become one menu. */
export function useIsPhone(): boolean {
  const { breakpoints } = useMantineTheme()
  return useMediaQuery(`(max-width: ${em(breakpoints.sm)})`, undefined, {
    getInitialValueInEffect: false,
  })
}

/** Whether tables become cards: on a phone, or below this width in pixels. */
export function useIsNarrowerThan(width: number): boolean {
  const isPhone = useIsPhone()
  const isNarrow = useMediaQuery(`(max-width: ${em(width)})`, undefined, {
    getInitialValueInEffect: false,
  })
  return isPhone || isNarrow
}
