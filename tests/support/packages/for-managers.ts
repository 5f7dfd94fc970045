import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { aTar } from '../linux-package'
import { aZip } from '../packages'
import { run } from '../system/debian'
import { tempDir } from '../system/temp-dir'

/** What dpkg-deb makes of a package without files. */
export async function aDebianPackage(name: string, version: string) {
  const cwd = await tempDir()
  await mkdir(join(cwd, `${name}/DEBIAN`), { recursive: true })
  const control = `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: Alice <a@example.com>\nDescription: Launches\n Twice a day.\n`
  await writeFile(join(cwd, `${name}/DEBIAN/control`), control)
  await run('dpkg-deb', ['--build', name, 'out.deb'], { cwd })
  return new Uint8Array(await readFile(join(cwd, 'out.deb')))
}

/** What rpmbuild makes of a package without files. */
export async function anRpm(name: string, version: string) {
  const cwd = await tempDir()
  const head = `Name: ${name}\nVersion: ${version}\nRelease: 1\nSummary: Launches <& more>\nLicense: MIT\nBuildArch: noarch`
  await writeFile(join(cwd, 'a.spec'), `${head}\n%description\nLaunches things\n%files\n`)
  await run('rpmbuild', ['-bb', '--define', `_topdir ${cwd}`, 'a.spec'], { cwd })
  return new Uint8Array(await readFile(join(cwd, `RPMS/noarch/${name}-${version}-1.noarch.rpm`)))
}

/** What makepkg makes of a package without files. */
export function aPacmanPackage(name: string, version: string, fields = '', arch = 'any') {
  const info = `pkgname = ${name}\npkgver = ${version}\npkgdesc = Launches\narch = ${arch}\nlicense = MIT\nsize = 0\n${fields}`
  return new Uint8Array(zstdCompressSync(aTar('.PKGINFO', Buffer.from(info))))
}

/** What `python -m build` makes of a package without files. */
export function aWheel(name: string, version: string, fields = ''): Uint8Array<ArrayBuffer> {
  const texts = {
    METADATA: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${fields}`,
    WHEEL: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    RECORD: '',
  }
  const folder = `${name.toLowerCase().replaceAll('.', '_')}-${version}.dist-info`
  const files = Object.entries(texts).map(([file, text]) => ({
    name: `${folder}/${file}`,
    bytes: Buffer.from(text),
  }))
  return new Uint8Array(aZip(files))
}

/** What `npm pack` makes of a package without files. */
export const anNpmPackage = (name: string, version: string) =>
  new Uint8Array(
    gzipSync(aTar('package/package.json', Buffer.from(JSON.stringify({ name, version })))),
  )
