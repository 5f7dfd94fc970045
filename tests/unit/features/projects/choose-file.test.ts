import { expect, test } from 'vitest'
import { chooseFile, type Target } from '../../../../server/features/releases/choose-file'
import { noFacts } from '../../../../server/libraries/package-reader/look'
import { summaryOf } from '../../../../server/features/files/package-summary'
import type { PackageSummary } from '../../../../server/data/records/file-records'

const at = '2030-01-01T00:00:00.000Z'

function facts(filename: string, architectures: string[]): PackageSummary | undefined {
  const kind = (['exe', 'deb', 'rpm', 'apk', 'dmg'] as const).find((name) =>
    filename.endsWith(`.${name}`),
  )
  return kind && summaryOf({ facts: { ...noFacts(kind), architectures }, icon: null })
}

/** A file of a release; `architectures`: what its package says. */
function aFile(filename: string, architectures: string[] = [], platform: string | null = null) {
  const ids = { id: filename, ownerId: 'alice', blobId: '0'.repeat(32), sha256: '0'.repeat(64) }
  const file = { ...ids, filename, size: 1, isPublic: true, version: '1', uploadedAt: at }
  const link = {
    id: filename,
    projectId: 'rocket',
    fileId: filename,
    version: '1',
    platform,
    addedAt: at,
  }
  return {
    link: { ...link, position: 1, releaseId: '1' },
    file: { ...file, facts: facts(filename, architectures) },
  }
}

const rpm = aFile('rocket-1.noarch.rpm')
const deb = aFile('rocket_1_amd64.deb', ['x64'])
const armDeb = aFile('rocket_1_arm64.deb', ['arm64'])
const appImage = aFile('rocket-x86_64.AppImage')
const archive = aFile('rocket.tar.gz', [], 'Linux')
const linux = [rpm, deb, armDeb, appImage, archive]
const squirrel = aFile('RocketSetup-1.0.0-x64.exe', ['x86'])
const managed = aFile('rocket.exe', [])
const old = aFile('rocket-old.exe', ['x86'])
const arm = aFile('rocket-arm.exe', ['arm64'])
const any = aFile('rocket.dmg', [])
const intel = aFile('rocket-x64.dmg', ['x64'])
const armApk = aFile('rocket-arm.apk', ['arm'])
const arm64Apk = aFile('rocket-arm64.apk', ['arm64'])
const x64Apk = aFile('rocket-x64.apk', ['x64'])

const ubuntu = {
  platform: 'Linux',
  arch: 'x64',
  userAgent: 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:150.0)',
} as const
const fedora = { ...ubuntu, userAgent: 'Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:150.0)' }

test.each<[string, ReturnType<typeof aFile>[], Target, ReturnType<typeof aFile> | undefined]>([
  ['Ubuntu', linux, ubuntu, deb],
  ['Ubuntu on ARM', linux, { ...ubuntu, arch: 'arm64' }, armDeb],
  ['Ubuntu, without a deb for it', [rpm, armDeb, appImage], ubuntu, appImage],
  ['Fedora', linux, fedora, rpm],
  ['Linux', linux, { platform: 'Linux' }, appImage],
  ['Linux, with packages only', [rpm, deb], { platform: 'Linux' }, deb],
  ['Linux, with an archive only', [archive], ubuntu, archive],
  ['Linux, for another processor only', [armDeb], { platform: 'Linux', arch: 'x64' }, undefined],
  ['Linux, processor unknown, for ARM only', [armDeb], { platform: 'Linux' }, armDeb],
  [
    'Windows, an installer that is named for x64',
    [squirrel],
    { platform: 'Windows', arch: 'x64' },
    squirrel,
  ],
  ['Windows on ARM, for x64 only', [squirrel], { platform: 'Windows', arch: 'arm64' }, squirrel],
  [
    'Windows, a program for any processor',
    [old, managed],
    { platform: 'Windows', arch: 'arm64' },
    managed,
  ],
  ['Windows, an old program', [arm, old], { platform: 'Windows', arch: 'x64' }, old],
  ['Windows on ARM, all kinds', [old, squirrel, arm], { platform: 'Windows', arch: 'arm64' }, arm],
  ['Windows on x86, for x64 only', [squirrel], { platform: 'Windows', arch: 'x86' }, undefined],
  ['macOS on ARM', [intel, any], { platform: 'macOS', arch: 'arm64' }, any],
  ['macOS on ARM, for Intel only', [intel], { platform: 'macOS', arch: 'arm64' }, intel],
  ['Android', [x64Apk, armApk, arm64Apk], { platform: 'Android' }, arm64Apk],
  [
    'Android on ARM, for 32 bits only',
    [x64Apk, armApk],
    { platform: 'Android', arch: 'arm64-v8a' },
    armApk,
  ],
  ['any platform, on ARM', [deb, arm64Apk], { arch: 'aarch64' }, arm64Apk],
  ['nothing for the platform', linux, { platform: 'Windows' }, undefined],
])('chooses for %s', (_name, files, target, expected) => {
  expect(chooseFile(files, target)?.file.filename).toBe(expected?.file.filename)
})
