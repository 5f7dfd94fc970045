import { setTimeout as pause } from 'node:timers/promises'

/** Resolves once the host at `url` answers; throws after half a minute. */
export async function answering(url: string): Promise<void> {
  const until = Date.now() + 30_000
  while (Date.now() < until) {
    const answers = await fetch(`${url}/api/host`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answers) return
    await pause(100)
  }
  throw new Error(`The server at ${url} does not answer`)
}
