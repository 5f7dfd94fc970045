import { markup, type Html } from '../../../http/pages/html'
import type { PlacedFile } from '../repository'

export const JSON_TYPE = 'application/vnd.pypi.simple.v1+json'

/** Normalizes a name as pip compares it (PEP 503). */
export const normalizeName = (name: string): string => name.replace(/[-_.]+/g, '-').toLowerCase()

/** A page as HTML (PEP 503) and as JSON (PEP 691). */
interface Page {
  html: string
  json: string
}

const META = { 'api-version': '1.1' }

const page = (body: readonly Html[]): string =>
  `<!DOCTYPE html>\n${
    markup`<html><head><meta name="pypi:repository-version" content="${
      META['api-version']
    }"></head><body>${body}
</body></html>
`.text
  }`

/** Prints the list of packages. `names` are normalized. */
export const printNames = (names: readonly string[]): Page => ({
  html: page(names.map((name) => markup`\n<a href="${name}/">${name}</a><br>`)),
  json: JSON.stringify({ meta: META, projects: names.map((name) => ({ name })) }),
})

/** A wheel. Its path is relative to the index. */
export interface Wheel extends PlacedFile {
  filename: string
  version: string
  requiresPython: string | null
  /** UTC ISO 8601. */
  uploadedAt: string
  /** Digest of its metadata, which is served at the wheel's address plus `.metadata` (PEP 658). */
  metadataSha256: string
}

/** Prints the page of a package, which is in a folder of the index. */
export const printWheels = (name: string, wheels: readonly Wheel[]): Page => ({
  html: page(
    wheels.map(
      ({ filename, path, sha256, requiresPython, metadataSha256 }) =>
        markup`\n<a href="../${path}#sha256=${sha256}"${
          requiresPython !== null && markup` data-requires-python="${requiresPython}"`
        } data-core-metadata="sha256=${metadataSha256}">${filename}</a><br>`,
    ),
  ),
  json: JSON.stringify({
    meta: META,
    name,
    versions: [...new Set(wheels.map(({ version }) => version))],
    files: wheels.map(
      ({ filename, path, size, sha256, requiresPython, uploadedAt, metadataSha256 }) => ({
        filename,
        url: `../${path}`,
        hashes: { sha256 },
        size,
        'upload-time': uploadedAt,
        ...(requiresPython !== null && { 'requires-python': requiresPython }),
        'core-metadata': { sha256: metadataSha256 },
      }),
    ),
  }),
})
