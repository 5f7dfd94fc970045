import type { Problem } from '../../../server/contract'
import type { Call } from '../../../server/contract/calls'
import { errorStatus } from '../../../server/contract/errors'
import { readEvents } from '../../../server/texts/read-events'
import { address, ApiError, connectionLost, encodeBody, parseProblem } from './api-client'

interface EventOptions {
  signal: AbortSignal
  /** Defaults to the platform's own; Node tests pass one that keeps cookies. */
  request?: typeof fetch
}

/**
 * Makes a call that answers with events, and yields the data of each. Throws ApiError, also for an
 * event with a problem and where the connection ends, or the signal's reason.
 */
export async function* callEvents<Event extends { problem: Problem | null }>(
  call: Call,
  input: object,
  { signal, request = fetch }: EventOptions,
): AsyncGenerator<Event> {
  const { url, rest } = address(call, input)
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json' }
  const body = encodeBody(call, rest) ?? null

  try {
    const response = await request(url, { method: call.method, headers, body, signal })
    if (!response.ok || !response.body) throw parseProblem(response.status, await response.text())

    for await (const data of readEvents(response.body)) {
      const event = JSON.parse(data) as Event
      const { problem } = event
      if (problem)
        throw new ApiError(problem.code, problem.error, errorStatus[problem.code], problem.field)
      yield event
    }
  } catch (cause) {
    // The browser's message about a broken connection does not come from the host.
    throw signal.aborted || cause instanceof ApiError ? cause : connectionLost()
  }
  throw connectionLost()
}
