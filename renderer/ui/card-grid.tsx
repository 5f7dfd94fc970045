import { Button, Group, SimpleGrid } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { CardSkeleton } from './skeletons'

/** Cards beside each other: one on a phone, three on a wide screen. */
export function CardGrid({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
      {children}
    </SimpleGrid>
  )
}

/** So many cards are put on the page at a time. */
const STEP = 60

interface LongCardGridProps<Item> {
  items: readonly Item[]
  card: (item: Item) => ReactNode
  /** What the button says under a grid that goes on: 'Show more projects'. */
  moreLabel: string
}

/** Cards of a list that may be long: the first ones, and a button for more. */
export function LongCardGrid<Item>({ items, card, moreLabel }: LongCardGridProps<Item>) {
  const [shown, setShown] = useState(STEP)
  return (
    <>
      <CardGrid>{items.slice(0, shown).map(card)}</CardGrid>
      {shown < items.length && (
        <Group justify="center" mt="lg">
          <Button variant="default" onClick={() => setShown(shown + STEP)}>
            {moreLabel}
          </Button>
        </Group>
      )}
    </>
  )
}

export function CardGridSkeleton({ cards }: { cards: number }) {
  return (
    <CardGrid>
      {Array.from({ length: cards }, (_, card) => (
        <CardSkeleton key={card} />
      ))}
    </CardGrid>
  )
}
