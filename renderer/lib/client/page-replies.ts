/** A page that loads longer than this shows what its replies said, and asks again. In ms. */
const MOST_AGE_MS = 30_000

/** Replies to calls that came with the page (server/features/visitor-pages), by address. */
const replies = new Map<string, unknown>(
  Object.entries(JSON.parse(document.getElementById('replies')?.textContent || '{}') as object),
)

/** The reply to a call that came with the page. Each answers once, and none after a change. */
export function takeReply(address: unknown, method = 'GET'): Response | undefined {
  if (method !== 'GET') replies.clear()
  if (typeof address !== 'string' || !replies.has(address)) return undefined
  const reply = replies.get(address)
  replies.delete(address)
  return performance.now() < MOST_AGE_MS ? Response.json(reply) : undefined
}
