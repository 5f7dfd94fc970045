import { em, useMantineTheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

/** Whether the screen is too narrow for tables: they become cards, and rows of buttons become one menu. */
export function useIsPhone(): boolean {
  const { breakpoints } = useMantineTheme()
  return useMediaQuery(`(max-width: ${em(breakpoints.sm)})`, undefined, { getInitialValueInEffect: false })
}
