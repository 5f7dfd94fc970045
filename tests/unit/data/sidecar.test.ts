import { expect, test } from 'vitest'
import { decodeSidecar, encodeSidecar, type Sidecar } from '../../../server/data/sidecars/sidecar'

const at = '2026-11-20T08:00:00.000Z'
const owner: Sidecar['owner'] = {
  ...{ id: 'userAlice0000000', username: 'alice', email: 'alice@example.com' },
  ...{ tier: 'Free', isHost: true, disabledAt: null, createdAt: at },
}
const link = { version: '1.0', platform: null, addedAt: at }
const sidecar: Sidecar = {
  ...{ id: 'fileNotes0000000', filename: 'ü 🚀.txt', size: 3, sha256: 'a'.repeat(64), crc32: 7, isPublic: false },
  ...{ version: null, packageVersion: '1.4.2', uploadedAt: at, deletedAt: null, owner },
  projects: [{ id: 'projectRocket000', slug: 'rocket', title: 'Rocket', isPublic: true, createdAt: at, owner, link }],
}

test('what is told of a blob is read as it was written', () => {
  expect(decodeSidecar(encodeSidecar(sidecar))).toEqual(sidecar)
})

test('what was told before there were checksums and versions of packages is read too', () => {
  const { crc32: _, packageVersion: __, ...older } = sidecar
  expect(decodeSidecar(encodeSidecar(older))).toEqual(older)
})

test('a path, or a name that is one, tells nothing, whoever has written it', () => {
  const hostile = [
    { ...sidecar, id: '../../x' },
    { ...sidecar, filename: '../x' },
    { ...sidecar, owner: { ...owner, id: '..' } },
    { ...sidecar, uploadedAt: 'today' },
  ]
  for (const told of hostile) expect(decodeSidecar(encodeSidecar(told))).toBeUndefined()
})

test('what was damaged, cut short or empty tells nothing', () => {
  const whole = Buffer.from(encodeSidecar(sidecar))
  for (let at = 0; at < whole.length; at++) {
    const flipped = Buffer.from(whole)
    flipped[at] = flipped[at]! ^ 1
    expect(decodeSidecar(flipped.toString()), `byte ${at}`).toBeUndefined()
    expect(decodeSidecar(whole.subarray(0, at).toString())).toBeUndefined()
  }
})
