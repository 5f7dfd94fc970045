import { json, replyOf } from '../network/reply'
import type { Person } from './test-server'

/** Changes settings with any input, also one that the host refuses. */
export const changeSettings = (atWindow: Person, input: object) =>
  replyOf(atWindow.browser.fetch('/api/host/settings', json('PUT', input)))
