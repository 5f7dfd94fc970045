import { anOpenIdProvider, CLIENT, visitProvider } from '../support/openid-provider'
import { VISITOR } from '../support/world/page'
import { engines, test } from './support/engine-test'

for (const engine of engines) {
  test.describe(`in ${engine}`, () => {
    test.use({ engine, person: VISITOR })

    test('one press on the login page signs a person in by the provider', async ({
      somebody,
      alice,
      host,
      line,
    }) => {
      const provider = await anOpenIdProvider({
        redirect: `${line.url}/login/sso`,
        logout: `${line.url}/api/auth/sso/logout`,
      })
      await host.inside.settings.update({
        public_url: line.url,
        sso_issuer: provider.url,
        sso_client_id: CLIENT.id,
        sso_name: 'Example Inc',
      })
      host.inside.secrets.ssoClientSecret = CLIENT.secret
      const { url } = await alice.singleSignOn.link({})
      const { search: query } = await visitProvider(provider, url)
      await alice.singleSignOn.finish({ query })

      await somebody.goTo('/login')
      await somebody.click('link', 'Continue with Example Inc')
      await somebody.sees('heading', 'Welcome, alice')
      provider.stop()
    })
  })
}
