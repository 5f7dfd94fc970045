import { WINDOW_HEADER } from '../../../server/contract/host/desktop'
import { test as base } from '../../support/world/page'

/** The secret that the app window adds to its own requests, and how. */
export const windowSecret = 'the secret of this launch'
export const windowHeaders = { [WINDOW_HEADER]: windowSecret }

/** `test` with a `page` in the app window, on which the host account is signed in. */
export const test = base.extend({
  config: async ({}, use) => use({ windowSecret }),
  person: async ({}, use) => use('host'),
  extraHTTPHeaders: async ({}, use) => use(windowHeaders),
  // A host that listens at other addresses ends its connections, maybe as a request begins, which
  // browsers log. The page asks again.
  page: async ({ page, complaints }, use) => {
    await use(page)
    const others = complaints.filter((text) => !text.includes('ERR_SOCKET_NOT_CONNECTED'))
    complaints.splice(0, Infinity, ...others)
  },
})
