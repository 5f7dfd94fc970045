import type { IndexOf } from '../../../contract/files/package-index'
import { printField, readFields, toLines, type ControlField } from '../index-text.ts'
import { noFacts, readIndex, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { readMembers, unpackMember } from '../zip/zip-package.ts'

const METADATA = /^[^/]+\.dist-info\/METADATA$/
const FIELD = /^([A-Za-z][A-Za-z-]*):[ \t]*(.*)$/

/**
 * Reads METADATA of a wheel (Python Packaging User Guide, "Binary distribution format" and "Core
 * metadata").
 */
export async function readPythonWheel(file: PackageFile): Promise<Look> {
  const [entry] = (
    await readMembers(file, (name) => (METADATA.test(name) ? 'keep' : 'skip'))
  ).values()
  if (!entry) throw new Unreadable('This is not a Python wheel: it has no METADATA.')

  const text = toLines((await unpackMember(file, entry)).toString('utf8'), Infinity)
  // The description may follow an empty line.
  const fields = readFields(text.split('\n\n', 1)[0] ?? '', FIELD)
  const field = (key: string) =>
    fields.find(({ name }) => name.toLowerCase() === key)?.value ?? null

  const name = field('name')
  const facts = {
    ...noFacts('whl'),
    name,
    app_id: name,
    version: field('version'),
    publisher: field('author'),
  }
  return { facts, icon: null, index: readIndex(() => wheelIndex(field, fields)) }
}

/** Throws Unreadable without a name or version that pip takes. */
function wheelIndex(
  field: (key: string) => string | null,
  fields: readonly ControlField[],
): IndexOf<'whl'> {
  const name = field('name') ?? ''
  const version = field('version') ?? ''

  if (!/^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?$/i.test(name) || !/^[\w.!+-]{1,200}$/.test(version))
    throw new Unreadable('This package has no name or version that pip accepts.')
  // Either may have lines that exceed the limit of an index. Installers resolve without them.
  const listed = fields.map((it) =>
    /^(?:license|description)$/i.test(it.name) ? { ...it, more: [] } : it,
  )

  return {
    kind: 'whl',
    name,
    version,
    requiresPython: field('requires-python'),
    metadata: listed.map(printField).join(''),
  }
}
