/** Tells what would be lost if the person left now, or nothing. */
type Stake = () => string | undefined

const stakes = new Set<Stake>()

/** For whatever runs on its own and ends with the session. Returns how to stop being asked. */
export function askBeforeLeaving(stake: Stake): () => void {
  stakes.add(stake)
  return () => void stakes.delete(stake)
}

/** What would be lost if the person left now, in a sentence each. */
export function whatWouldBeLost(): string | undefined {
  const losses = [...stakes].map((stake) => stake()).filter((loss) => loss !== undefined)
  return losses.length === 0 ? undefined : losses.join(' ')
}
