import type { z } from 'zod'
import type { Api } from '../../../../server/contract'
import { calls } from '../../../../server/contract/calls'
import { errorStatus } from '../../../../server/contract/errors'
import {
  address,
  ApiError,
  encodeBody,
  connectionLost,
  parseProblem,
} from '../../../lib/client/api-client'
import type { UploadOptions } from '../upload'

interface InPlace {
  offerId: string
  options: UploadOptions
  /** Called with the bytes in place. The host then still verifies. */
  onProgress: (bytes: number) => void
  signal: AbortSignal
  /** Defaults to the platform's own; Node tests pass one that keeps cookies. */
  request?: typeof fetch
}

/**
 * Makes the host publish a file on its own computer, and returns it with warnings about it. Rejects
 * with ApiError, or with the signal's reason.
 */
export async function publishInPlace({
  offerId,
  options,
  onProgress,
  signal,
  request = fetch,
}: InPlace) {
  const { method } = calls.localFiles.publish
  const { url, rest } = address(calls.localFiles.publish, toInput(offerId, options))
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json' }
  const body = encodeBody(calls.localFiles.publish, rest) ?? null

  try {
    const response = await request(url, { method, headers, body, signal })
    if (!response.ok || !response.body) throw parseProblem(response.status, await response.text())
    return await readOutcome(response.body, onProgress)
  } catch (cause) {
    // The browser's message about a broken connection does not come from the host.
    throw signal.aborted || cause instanceof ApiError ? cause : connectionLost()
  }
}

function toInput(offer_id: string, { isPublic, project, version, platform }: UploadOptions) {
  return {
    offer_id,
    is_public: isPublic,
    ...(project ? { project_id: project.id } : {}),
    ...(version ? { version } : {}),
    ...(platform ? { platform } : {}),
  }
}

async function readOutcome(body: ReadableStream<Uint8Array>, onProgress: (bytes: number) => void) {
  for await (const data of readEvents(body)) {
    const { bytes, file, warnings, problem } = JSON.parse(data) as z.output<
      Api['localFiles']['publish']['reply']
    >
    onProgress(bytes)
    if (file) return { file, warnings }
    if (problem)
      throw new ApiError(problem.code, problem.error, errorStatus[problem.code], problem.field)
  }
  throw connectionLost()
}

/** The data of server-sent events (WHATWG HTML §9.2) with one data line each. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''

  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield data
    }
  }
}
