import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { cataloguePath } from '../../../server/data/repair/catalogue'
import { toBase32 } from '../../../server/features/factors/totp'
import { aBrowser, addCodes, addPasskey, ticketOf, withPasskeys } from '../../support/factors'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { PASSWORD } from '../../support/world/password'

test('replies, the audit log, exports and the catalogue have nothing of a factor', async ({
  server,
  alice,
  signedIn: { client, browser },
  atWindow,
}) => {
  const { secret, recoveryCodes } = await addCodes(server, client)
  const { codes, recoveryHashes } = server.inside.library.collection('factors').get(alice.id)!
  const encodings = (['hex', 'base64', 'base64url'] as const).map((it) => secret.toString(it))
  const hidden = [...encodings, toBase32(secret), codes!.sealedSecret, ...recoveryHashes]

  const replies = [
    await client.factors.show({}),
    await client.accounts.me({}),
    await client.accounts.sessions({}),
    await atWindow.client.people.list({}),
    (await atWindow.client.audit.list({})).events,
  ]
  const told = replies.map((reply) => JSON.stringify(reply))
  expect(told.at(-1)).toContain('factor_add')
  told.push(await (await browser.fetch('/api/account/export')).text())
  await server.close()
  told.push(await readFile(cataloguePath(server.dataDir), 'utf8'))

  for (const text of told)
    expect([...hidden, ...recoveryCodes].filter((it) => text.includes(it))).toEqual([])
})

test('a deleted account has its factors again after a restore, and none at its end', async ({
  server,
  alice,
  signedIn: { client },
  atWindow: { client: host },
}) => {
  const { recoveryCodes } = await addCodes(server, client)
  const factors = server.inside.library.collection('factors')

  await client.accounts.remove({ current_password: PASSWORD })
  await host.people.restore({ id: alice.id })
  const restored = server.signedIn(alice)
  await expect(restored).rejects.toMatchObject(refusal('factor_needed'))

  const again = aBrowser(server)
  const code = recoveryCodes[0] ?? ''
  await again.factors.signInByCode({ sign_in_ticket: await ticketOf(server), code })
  await again.accounts.remove({ current_password: PASSWORD })
  await host.people.erase({ id: alice.id })
  expect([...factors.values()]).toEqual([])
})

test('a changed factor, the end of the other sessions and the new proof are one commit', async ({
  server,
  alice,
}) => {
  const named = await withPasskeys(server)
  const person = await named.signedIn(alice)
  const { client } = person
  let commits = 0
  const committing = async (change: () => Promise<unknown>) => {
    const other = await named.signedIn(alice)
    commits = 0
    named.inside.library.onCommitted = () => commits++
    await change()
    expect(commits).toBe(1)
    await expect(other.client.accounts.me({})).rejects.toMatchObject(refusal('sign_in_required'))
  }

  await committing(() => addPasskey(person, named.url))
  const { factors } = await client.factors.show({})
  await client.factors.removePasskey({ id: factors.passkeys[0]?.passkey_id ?? '' })
  await committing(() => addCodes(server, client))
})
