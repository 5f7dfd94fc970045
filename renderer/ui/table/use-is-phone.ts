import { em, useMantineTheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

/** Whether this is a phone: rows of buttons become one menu. */
export function useIsPhone(): boolean {
  const { breakpoints } = useMantineTheme()
  return useMediaQuery(`(max-width: ${em(breakpoints.sm)})`, undefined, { getInitialValueInEffect: false })
}

/** Whether this is a phone, or a screen that is narrower than so many pixels: tables become cards. */
export function useIsNarrowerThan(width: number): boolean {
  const isPhone = useIsPhone()
  const isNarrow = useMediaQuery(`(max-width: ${em(width)})`, undefined, { getInitialValueInEffect: false })
  return isPhone || isNarrow
}
