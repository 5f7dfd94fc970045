import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { EmptyState } from './empty-state'

interface NothingFoundProps {
  text: string
  /** The label of the button that clears the filter. */
  showAll: string
  onShowAll: () => void
}

/** A list whose filter matches nothing. */
export const NothingFound = ({ text, showAll, onShowAll }: NothingFoundProps) => (
  <EmptyState
    icon={IconSearchOff}
    title="Nothing found"
    text={text}
    action={
      <Button variant="default" onClick={onShowAll}>
        {showAll}
      </Button>
    }
  />
)
