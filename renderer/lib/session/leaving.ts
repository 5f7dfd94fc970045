/** What leaving now would lose, or undefined. */
type Stake = () => string | undefined

const stakes = new Set<Stake>()

/** Registers a check before the session ends. Returns the unregister function. */
export function askBeforeLeaving(stake: Stake): () => void {
  stakes.add(stake)
  return () => void stakes.delete(stake)
}

/** What leaving now would lose, one sentence each, or undefined. */
export function whatWouldBeLost(): string | undefined {
  const losses = [...stakes].map((stake) => stake()).filter((loss) => loss !== undefined)
  return losses.length === 0 ? undefined : losses.join(' ')
}
