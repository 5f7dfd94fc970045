import { Pagination } from '@mantine/core'
import { useIsPhone } from './use-is-phone'

interface PageLinksProps {
  page: number
  pages: number
  onPage: (page: number) => void
}

/** Links to the pages of a list. */
export const PageLinks = ({ page, pages, onPage }: PageLinksProps) => (
  <Pagination
    size="sm"
    total={pages}
    value={page}
    onChange={onPage}
    siblings={useIsPhone() ? 0 : 1}
    getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
    getControlProps={(control) => ({
      'aria-label': control === 'next' ? 'Next page' : 'Previous page',
    })}
  />
)
