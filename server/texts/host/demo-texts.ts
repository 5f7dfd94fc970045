import type { Demo } from '../../contract/host/host'

/** The banner of a demo. */
export const demoText = ({ resets_at, usernames, password }: Demo): string =>
  `This is a demo. All uploads and changes are erased at ${resets_at.slice(11, 16)} UTC. ` +
  `Log in as ${usernames.join(' or ')} with the password ${password}.`

/** The error of a request that a demo refuses. */
export const DEMO_REFUSAL =
  'This action is disabled in the demo, because anyone can use it. Install Slipway to try it.'
