import { parseJson } from '../json-text.ts'
import { noFacts, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { readFromTar } from './tar-start.ts'

/**
 * Reads the provider in metadata.json of a Vagrant box, and the architecture that newer ones name.
 * Null: another file.
 */
export async function readVagrantBox(file: PackageFile): Promise<Look | null> {
  const names = new Set<string>()
  const json = await readFromTar(file, (name) => {
    names.add(name)
    return name === 'metadata.json' ? 'take' : 'skip'
  }).catch((cause: unknown) => {
    if (cause instanceof Unreadable) return null
    throw cause
  })

  // Vagrant packs those of VirtualBox in the order of names, with the disk before the metadata.
  if (!json) return names.has('box.ovf') ? aBox('virtualbox', null) : null

  const fields = new Map(Object.entries(parseJson(json) as object))
  return aBox(fields.get('provider'), fields.get('architecture'))
}

function aBox(provider: unknown, architecture: unknown): Look {
  return {
    facts: {
      ...noFacts('box'),
      min_os: typeof provider === 'string' && /^[\w-]+$/.test(provider) ? provider : null,
      architectures: typeof architecture === 'string' ? [architecture] : [],
    },
    icon: null,
  }
}
