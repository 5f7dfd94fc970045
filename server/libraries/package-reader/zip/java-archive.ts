import { noFacts, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { isJarSignature, readJarSignature } from './jar-signature.ts'
import { readMembers, unpackMember } from './zip-package.ts'

const MANIFEST = 'META-INF/MANIFEST.MF'

/** Reads a JAR by its manifest (JAR File Specification; Bundle- by OSGi Core). */
export async function readJavaArchive(file: PackageFile): Promise<Look> {
  const members = await readMembers(file, (name) =>
    name === MANIFEST || isJarSignature(name) ? 'keep' : 'skip',
  )

  const entry = members.get(MANIFEST)
  if (!entry) throw new Unreadable('The Java archive has no manifest.')

  const value = valuesIn((await unpackMember(file, entry)).toString('utf8'))
  const { isSigned, signer } = await readJarSignature(file, members)

  const facts = {
    ...noFacts('jar'),
    name: value('Implementation-Title') ?? value('Bundle-Name') ?? null,
    // A symbolic name may have directives after a semicolon.
    app_id:
      value('Automatic-Module-Name') ?? value('Bundle-SymbolicName')?.split(';', 1)[0] ?? null,
    version: value('Implementation-Version') ?? value('Bundle-Version') ?? null,
    publisher: value('Implementation-Vendor') ?? value('Bundle-Vendor') ?? null,
    is_signed: isSigned,
    signer,
  }
  return { facts, icon: null }
}

/**
 * Looks up values of the main section, which ends with an empty line. A line that starts with a
 * space continues one.
 */
function valuesIn(manifest: string): (name: string) => string | undefined {
  const lines = manifest.replaceAll(/\r\n?/g, '\n').replaceAll('\n ', '').split('\n')
  const end = lines.indexOf('')
  const main = end < 0 ? lines : lines.slice(0, end)

  return (name) => {
    const start = `${name.toLowerCase()}:`
    const value = main
      .find((line) => line.toLowerCase().startsWith(start))
      ?.slice(start.length)
      .trim()
    return value === '' ? undefined : value
  }
}
