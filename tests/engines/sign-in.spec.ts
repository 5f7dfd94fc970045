import { computeCode } from '../../server/features/factors/totp'
import { fromBase32 } from '../support/factors'
import { VISITOR } from '../support/world/page'
import { PASSWORD } from '../support/world/password'
import { engines, expect, test } from './support/engine-test'

/** The code of an app; `later`: so many steps of 30 s after now. */
const codeOf = (secret: Buffer, later = 0) =>
  computeCode(secret, Math.floor(Date.now() / 30_000) + later)

for (const engine of engines) {
  test.describe(`in ${engine}`, () => {
    test.use({ engine, person: VISITOR })

    test('a second factor is asked for after the password, and a code opens the account', async ({
      somebody,
      alice,
    }) => {
      const { secret: shown, setup } = await alice.factors.beginCodes({})
      const secret = fromBase32(shown)
      await alice.factors.addCodes({ setup, code: codeOf(secret) })

      await somebody.goTo('/login')
      await somebody.sees('field', 'Username', { hasFocus: true })
      await somebody.tab.type('alice')
      await somebody.pressTo('field', 'Password')
      await somebody.tab.type(PASSWORD)
      await somebody.press('Enter')
      await somebody.isAt('/login/factor')
      await somebody.sees('field', 'Code', { hasFocus: true })
      await somebody.tab.type(codeOf(secret, 1))
      await somebody.press('Enter')
      await somebody.sees('heading', 'Welcome, alice')
      expect((await alice.factors.show({})).factors.codes?.last_used_at).not.toBeNull()
    })
  })
}
