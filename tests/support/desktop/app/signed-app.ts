import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { copyFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { spki } from '../../../../scripts/package/keys'
import { electronPath, repoRoot } from './launch'

/**
 * A copy of the built app in `folder`, with an update key built in. Returns the key that signs for
 * it.
 */
export async function appWithKey(folder: string): Promise<KeyObject> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  await cp(join(repoRoot, 'dist'), join(folder, 'dist'), { recursive: true })
  const about = JSON.parse(await readFile(join(repoRoot, 'package.json'), 'utf8')) as object
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ ...about, updateKey: spki(publicKey) }),
  )
  return privateKey
}

/** An Electron in `folder` that says of itself what the one in a .deb does. Returns its program. */
export async function electronOfDeb(folder: string): Promise<string> {
  const program = electronPath()
  const from = dirname(program)
  await mkdir(join(folder, 'resources'), { recursive: true })
  for (const name of (await readdir(from)).filter(
    (it) => it !== 'resources' && join(from, it) !== program,
  )) {
    await symlink(join(from, name), join(folder, name))
  }
  for (const name of await readdir(join(from, 'resources'))) {
    await symlink(join(from, 'resources', name), join(folder, 'resources', name))
  }
  await writeFile(join(folder, 'resources/package-type'), 'deb')
  // Electron finds its resources beside the program itself, so that one is no link.
  await copyFile(program, join(folder, 'electron'))
  return join(folder, 'electron')
}
