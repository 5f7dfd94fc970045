import { readFile } from 'node:fs/promises'

/** A library that is compiled into a file of a package, which its manifest does not name. */
export interface InnerLibrary {
  name: string
  version: string
  licence: string
}

const LGPL = 'LGPL-3.0-or-later'

/** By the names of versions.json in wasm-vips: name and licence as its notices have them. */
const inVips: Record<string, [name: string, licence: string]> = {
  aom: ['aom', 'BSD-2-Clause'],
  brotli: ['brotli', 'MIT'],
  cgif: ['cgif', 'MIT'],
  emscripten: ['emscripten', 'MIT'],
  exif: ['libexif', LGPL],
  expat: ['expat', 'MIT'],
  ffi: ['libffi', 'MIT'],
  glib: ['glib', LGPL],
  heif: ['libheif', LGPL],
  highway: ['highway', 'BSD-3-Clause'],
  imagequant: ['libimagequant', 'BSD-2-Clause'],
  lcms: ['lcms2', 'MIT'],
  mozjpeg: ['mozjpeg', 'IJG AND BSD-3-Clause AND Zlib'],
  png: ['libpng', 'libpng-2.0'],
  tiff: ['libtiff', 'libtiff'],
  uhdr: ['libultrahdr', 'MIT'],
  vips: ['libvips', LGPL],
  webp: ['libwebp', 'BSD-3-Clause'],
  'zlib-ng': ['zlib-ng', 'Zlib'],
}

/** In files of wasm-vips that do not ship. */
const LEFT_OUT = ['jxl', 'resvg']

/** Part of the source of libvips, so that versions.json does not name it. */
const WITHIN_VIPS = { name: 'libnsgif', licence: 'MIT' }

/** The libraries in the files of wasm-vips. Throws for one whose licence is not known here. */
export async function librariesInVips(folder: string): Promise<InnerLibrary[]> {
  const versions = JSON.parse(await readFile(`${folder}/versions.json`, 'utf8')) as Record<
    string,
    string
  >

  const shipped = Object.entries(versions).filter(([key]) => !LEFT_OUT.includes(key))
  const libraries = shipped.map(([key, version]) => {
    const [name, licence] = inVips[key] ?? []
    if (name === undefined || licence === undefined)
      throw new Error(`Name the licence of ${key} in scripts/build/libraries-in-wasm.ts`)
    return { name, version, licence }
  })

  return [...libraries, { ...WITHIN_VIPS, version: versions['vips'] ?? '' }]
}

const TITLE = 'Source of the WebAssembly files'

/** Where the source of each .wasm file is, as the LGPL asks. */
export const describeSources = (libraries: readonly InnerLibrary[]): string => `${TITLE}

vips.wasm and vips-heif.wasm are those of the package wasm-vips, unchanged. Its source and the
script that builds them from the sources below are in https://github.com/kleisauke/wasm-vips, at
the tag of its version. To run Slipway with libraries that you have changed, build the files by
that script, and replace those in dist/server.

${libraries.map(({ name, version, licence }) => `- ${name} ${version}: ${licence}`).join('\n')}

index_bg.wasm is that of the package @resvg/resvg-wasm, unchanged. Its source is in
https://github.com/yisibl/resvg-js, at the tag of its version.`
