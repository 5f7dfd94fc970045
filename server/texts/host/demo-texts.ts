import type { Demo } from '../../contract/host/host'

/** The banner of a demo. */
export const demoText = ({ resets_at, usernames, password }: Demo): string =>
  `This is a demo. It forgets all uploads and changes at ${resets_at.slice(11, 16)} UTC. ` +
  `Log in as ${usernames.join(' or ')} with the password ${password}.`

/** The error of a request that a demo refuses. */
export const DEMO_REFUSAL =
  'This demo does not allow it, because it is open to everyone. Install Slipway to try it.'
