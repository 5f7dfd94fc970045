import type { Package } from '../packages'
import type { IndexOf, RpmEntry } from '../../../contract/files/package-index'
import { rpmRelations } from '../../../contract/files/package-index'
import { markup, type Html } from '../../../http/pages/html'
import type { PlacedFile } from '../repository'
import { isPrimaryPath } from '../../../libraries/package-reader/primary-path'

type RpmIndex = IndexOf<'rpm'>

/** A package. Its path is relative to the channel. */
type Listed = Pick<Package<'rpm'>, 'index' | 'file' | keyof PlacedFile>

const NAMESPACE = 'http://linux.duke.edu/metadata'
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** A package in each list. */
interface PrintedPackage {
  primary: Html
  filelist: Html
}

/** Prints a package. One with very many files takes about 20 ms. */
export const printPackage = (listed: Listed): PrintedPackage => ({
  primary: primary(listed),
  filelist: filelist(listed),
})

/** Prints the lists of rpm-md (createrepo_c), by type. */
export function printLists(
  packages: readonly PrintedPackage[],
): Record<'primary' | 'filelists', string> {
  const count = packages.length
  const files = packages.map((it) => it.filelist)

  return {
    primary: `${HEAD}${
      markup`<metadata xmlns="${NAMESPACE}/common" xmlns:rpm="${NAMESPACE}/rpm" packages="${
        count
      }">${packages.map((it) => it.primary)}
</metadata>
`.text
    }`,
    filelists: `${HEAD}${
      markup`<filelists xmlns="${NAMESPACE}/filelists" packages="${count}">${files}
</filelists>
`.text
    }`,
  }
}

const version = ({ epoch, version: ver, release }: RpmIndex) =>
  markup`<version epoch="${epoch}" ver="${ver}" rel="${release}"/>`

const primary = ({ index, path, size, sha256, file }: Listed) => markup`
<package type="rpm">
  <name>${index.name}</name>
  <arch>${index.architecture}</arch>
  ${version(index)}
  <checksum type="sha256" pkgid="YES">${sha256}</checksum>
  <summary>${index.summary}</summary>
  <description>${index.description}</description>
  <packager>${index.packager}</packager>
  <url>${index.url}</url>
  <time file="${Math.floor(Date.parse(file.uploadedAt) / 1000)}" build="${index.builtAt}"/>
  <size package="${size}" installed="${index.installedSize}" archive="0"/>
  <location href="${path}"/>
  <format>
    <rpm:license>${index.license}</rpm:license>
    <rpm:vendor>${index.vendor}</rpm:vendor>
    <rpm:group>${index.group}</rpm:group>
    <rpm:buildhost>${index.buildHost}</rpm:buildhost>
    <rpm:sourcerpm>${index.sourceRpm}</rpm:sourcerpm>
    <rpm:header-range start="${index.header.start}" end="${index.header.end}"/>${[
      ...relations(index),
      ...paths(index, isPrimaryPath),
    ]}
  </format>
</package>`

const filelist = ({ index, sha256 }: Listed) => markup`
<package pkgid="${sha256}" name="${index.name}" arch="${index.architecture}">
  ${version(index)}${paths(index, () => true)}
</package>`

/** Prints relations. Element names come from the format; everything else is escaped. */
const relations = (index: RpmIndex): Html[] =>
  rpmRelations.flatMap((name) => {
    const entries = index.relations[name]
    return entries.length === 0 ? [] : [RELATIONS[name](entries.map(entry))]
  })

const RELATIONS: Readonly<Record<(typeof rpmRelations)[number], (entries: Html[]) => Html>> = {
  provides: (entries) => markup`<rpm:provides>${entries}</rpm:provides>`,
  requires: (entries) => markup`<rpm:requires>${entries}</rpm:requires>`,
  conflicts: (entries) => markup`<rpm:conflicts>${entries}</rpm:conflicts>`,
  obsoletes: (entries) => markup`<rpm:obsoletes>${entries}</rpm:obsoletes>`,
  suggests: (entries) => markup`<rpm:suggests>${entries}</rpm:suggests>`,
  enhances: (entries) => markup`<rpm:enhances>${entries}</rpm:enhances>`,
  recommends: (entries) => markup`<rpm:recommends>${entries}</rpm:recommends>`,
  supplements: (entries) => markup`<rpm:supplements>${entries}</rpm:supplements>`,
}

const entry = ({ name, flags, epoch, version: ver, release, pre }: RpmEntry) =>
  markup`<rpm:entry name="${name}"${
    flags !== undefined && markup` flags="${flags}" epoch="${epoch ?? '0'}" ver="${ver ?? ''}"`
  }${release !== undefined && markup` rel="${release}"`}${pre && markup` pre="1"`}/>`

function paths({ files, folders, ghosts }: RpmIndex, suits: (path: string) => boolean): Html[] {
  return [
    ...files.filter(suits).map((path) => markup`<file>${path}</file>`),
    ...folders.filter(suits).map((path) => markup`<file type="dir">${path}</file>`),
    ...ghosts.filter(suits).map((path) => markup`<file type="ghost">${path}</file>`),
  ]
}

/** A compressed list. */
export interface ListFile extends PlacedFile {
  type: string
  openSize: number
  openSha256: string
}

/** Prints `repomd.xml`. `revision`: seconds since 1970. */
export function printRepomd(lists: readonly ListFile[], revision: number): string {
  return `${HEAD}${
    markup`<repomd xmlns="${NAMESPACE}/repo" xmlns:rpm="${NAMESPACE}/rpm">
<revision>${revision}</revision>${lists.map(
      (list) => markup`
<data type="${list.type}">
  <checksum type="sha256">${list.sha256}</checksum>
  <open-checksum type="sha256">${list.openSha256}</open-checksum>
  <location href="${list.path}"/>
  <timestamp>${revision}</timestamp>
  <size>${list.size}</size>
  <open-size>${list.openSize}</open-size>
</data>`,
    )}
</repomd>
`.text
  }`
}

/**
 * Prints the file for `/etc/yum.repos.d` or `/etc/zypp/repos.d`. The index is signed and has the
 * digests of the packages.
 */
export const printRepo = (
  name: string,
  address: string,
  channel: string,
  keyAddress: string,
): string => `[${name}]
name=${name}
baseurl=${address}/${channel}
enabled=1
repo_gpgcheck=1
gpgcheck=0
gpgkey=${keyAddress}
`
