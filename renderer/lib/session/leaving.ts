/** The unsaved work that would be lost, or undefined. */
type Stake = () => string | undefined

const stakes = new Set<Stake>()

export function askBeforeLeaving(stake: Stake): () => void {
  stakes.add(stake)
  return () => void stakes.delete(stake)
}

export function whatWouldBeLost(): string | undefined {
  const losses = [...stakes].map((stake) => stake()).filter((loss) => loss !== undefined)
  return losses.length === 0 ? undefined : losses.join(' ')
}
