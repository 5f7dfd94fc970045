import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { CardSkeleton } from './skeletons'

export function CardGrid({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
      {children}
    </SimpleGrid>
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
