import { aPresentClock, withProvider } from '../../support/single-sign-on'
import { test as base } from '../../support/world/http'
import type { TestClock } from '../../support/world/test-clock'

type AtProvider = Awaited<ReturnType<typeof withProvider>>

/** `test` with a provider that the host account has set up, and the host at its name. */
export const test = base.extend<
  { clock: TestClock; sso: AtProvider } & Pick<AtProvider, 'named' | 'provider'>
>({
  clock: async ({}, use) => use(aPresentClock()),
  sso: async ({ server }, use) => use(await withProvider(server)),
  named: async ({ sso }, use) => use(sso.named),
  provider: async ({ sso }, use) => use(sso.provider),
})
