import { createClient as create, type Client } from '../../../renderer/lib/client/api-client'
import { checkReply, loadSchemas } from '../../../renderer/lib/client/check-reply'

await loadSchemas()

/** The client of the pages, which checks each reply by the contract from the first one on. */
export const createClient = (origin: string, options: Parameters<typeof create>[1] = {}): Client =>
  create(origin, { check: checkReply, ...options })
