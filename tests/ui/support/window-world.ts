import { test as base } from './owner-world'

/** What the app window adds to its own requests; this world's pages are that window. */
const SECRET = 'the secret of this launch'

/** `test` with a `page` in the app window, on which the host account is signed in. */
export const test = base.extend({
  config: async ({}, use) => use({ windowSecret: SECRET }),
  person: async ({}, use) => use('host'),
  extraHTTPHeaders: async ({}, use) => use({ 'x-slipway-window': SECRET }),
})
