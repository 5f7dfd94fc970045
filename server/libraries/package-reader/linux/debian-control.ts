import type { IndexOf } from '../../../contract/files/package-index'
import { printField, readFields, toLines, type ControlField } from '../index-text.ts'
import { Unreadable } from '../look.ts'

/** Fields that a repository states about the file; those of the package would contradict them. */
const OF_REPOSITORY = /^(filename|size|md5sum|sha1|sha256|sha512|description-md5)$/
const FIELD = /^([A-Za-z][\w-]*):[ \t]*(.*)$/

/** Fields by their name in lower case, in the order of the file. */
export type ControlFields = ReadonlyMap<string, ControlField>

/**
 * The first paragraph of a control file (deb-control(5)). The first of two fields with one name
 * counts.
 */
export function parseControl(control: string): ControlFields {
  const fields = new Map<string, ControlField>()
  const [paragraph = ''] = toLines(control, Infinity).split(/\n[ \t]*\n/, 1)
  for (const field of readFields(paragraph, FIELD)) {
    const key = field.name.toLowerCase()
    if (!fields.has(key)) fields.set(key, field)
  }
  return fields
}

const SPELLINGS = {
  package: /^[a-z0-9][a-z0-9+.-]+$/,
  version: /^[0-9][A-Za-z0-9.+~:-]*$/,
  architecture: /^[a-z0-9][a-z0-9-]*$/,
}

/**
 * Builds the apt index entry of a package. Throws Unreadable without a name, version or
 * architecture that apt accepts.
 */
export function debianIndex(control: string): IndexOf<'deb'> {
  const fields = parseControl(control)

  const exact = (name: keyof typeof SPELLINGS) => {
    const { value = '', more = [] } = fields.get(name) ?? {}
    if (more.length === 0 && SPELLINGS[name].test(value)) return value
    throw new Unreadable(
      `This package has no ${name === 'package' ? 'name' : name} that apt accepts.`,
    )
  }

  const printed = [...fields].filter(([key]) => !OF_REPOSITORY.test(key))

  return {
    kind: 'deb',
    package: exact('package'),
    version: exact('version'),
    architecture: exact('architecture'),
    control: printed.map(([, field]) => printField(field)).join(''),
  }
}
