import { Box, Group, Text } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { formatWhole } from '../../lib/texts/format'
import { useLastPage } from './use-last-page'

const PageLinks = lazyPage(() => import('./page-links'), 'PageLinks')

interface PagerProps {
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}

/**
 * '51–100 of 10,000' and links to other pages; hidden for a single page. Opens the last page if the
 * current one no longer exists.
 */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const pages = Math.ceil(total / pageSize)
  const isPast = useLastPage(page, pages, onPage)
  const { bar, openPage } = useFocusInBar(page, onPage)

  if (pages <= 1 || isPast) return null
  const first = (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, total)

  return (
    <Group ref={bar} justify="space-between" mt="md" gap="sm">
      <Text c="dimmed" size="xs">
        {formatWhole(first)}–{formatWhole(last)} of {formatWhole(total)}
      </Text>
      <Box mih={26}>
        <AfterFirstView>
          <PageLinks page={page} pages={pages} onPage={openPage} />
        </AfterFirstView>
      </Box>
    </Group>
  )
}

/**
 * Scrolls to the top of a new page, and keeps the focus here when the used button becomes disabled.
 */
function useFocusInBar(page: number, onPage: (page: number) => void) {
  const bar = useRef<HTMLDivElement>(null)
  const isUsed = useRef(false)

  const openPage = (next: number) => {
    isUsed.current = true
    onPage(next)
  }

  useLayoutEffect(() => {
    if (!isUsed.current) return
    isUsed.current = false
    const list = bar.current?.previousElementSibling
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView()
    // Some versions of Chrome take the focus from a button as soon as it is disabled, others never
    // do.
    const focused = document.activeElement
    if (focused && focused !== document.body && !focused.matches(':disabled')) return
    bar.current?.querySelector<HTMLElement>('[aria-current=page]')?.focus({ preventScroll: true })
  }, [page])

  return { bar, openPage }
}
