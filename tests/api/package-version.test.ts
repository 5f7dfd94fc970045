import { describe, expect } from 'vitest'
import { aFile, aLink, aProject, aUser } from '../support/factories'
import { offer, publishOffered } from '../support/offered'
import { aManifest, anIpa, aPlist, aZip } from '../support/packages'
import { test } from '../support/test-server'
import { sendByTus } from '../support/tus-upload'

const apk = aZip([{ name: 'AndroidManifest.xml', bytes: aManifest('1.4.2') }])

describe('the version that a package tells', () => {
  test('is that of the file, however it was uploaded', async ({ server, folder }) => {
    const host = await aUser(server, 'host', { isHost: true })
    const { client, browser } = await server.atWindow(host)
    const byForm = await aFile(server, host, { filename: 'app-release.apk', bytes: new Uint8Array(apk) })
    const { fileId } = await sendByTus(server, host, apk)
    const offerId = await offer(server, folder, { name: 'Rocket.ipa', bytes: anIpa(aPlist('2.0')) })
    const inPlace = await publishOffered(browser, offerId)

    expect([byForm.version, inPlace.version]).toEqual(['1.4.2', '2.0'])
    expect((await client.files.info({ id: fileId })).file.version).toBe('1.4.2')
    expect((await client.builds.stats({})).stats.versions.sort()).toEqual(['1.4.2', '2.0'])
  })

  test('counts less than what a person says, and more than the filename', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const bytes = new Uint8Array(apk)
    const named = await aFile(server, alice, { filename: 'rocket-1.4.apk', bytes })
    const given = await aFile(server, alice, { filename: 'rocket.apk', version: '1.4.2-rc.1', bytes })
    const damaged = await aFile(server, alice, { filename: 'rocket-1.3.apk', bytes: bytes.slice(10) })
    expect([named.version, given.version, damaged.version]).toEqual(['1.4.2', '1.4.2-rc.1', '1.3'])

    const project = await aProject(server, alice)
    expect((await aLink(server, alice, project, named)).version).toBe('1.4.2')
    const other = await aProject(server, alice)
    expect((await aLink(server, alice, other, named, { version: 'spring' })).version).toBe('spring')
    expect((await server.as(alice).files.info({ id: named.file_id })).file.version).toBe('spring')
  })
})
