import type { Facts } from '../../contract/facts'
import { signingCertificate } from '../certificate/signing-certificate.ts'
import { noFacts, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'
import { openProgram, type Place, type Program } from './portable-executable.ts'
import { programIcon, versionTexts } from './resources.ts'

/** IMAGE_FILE_MACHINE_… (PE Format, Microsoft). */
const MACHINES: ReadonlyMap<number, string> = new Map([
  [0x14c, 'x86'],
  [0x8664, 'x64'],
  [0x1c0, 'arm'],
  [0x1c4, 'arm'],
  [0xaa64, 'arm64'],
])
/** Behind the program of an NSIS installer, after four bytes of flags (its Source/exehead/fileform.h). */
const NSIS = Buffer.concat([Buffer.from('efbeadde', 'hex'), Buffer.from('NullsoftInst')])
/** Signatures have some 10 kB. */
const MOST_SIGNATURE_BYTES = 1024 * 1024
/** Length, revision and type of a WIN_CERTIFICATE (PE Format, "The attribute certificate table"). */
const SIGNATURE_HEAD_BYTES = 8

/** Reads a Windows program or installer. */
export async function readWindowsProgram(file: PackageFile): Promise<Look> {
  const program = await openProgram(file)
  const { certificates } = program
  const text = await versionTexts(file, program)
  const facts = {
    ...noFacts('exe'),
    name: text('ProductName') ?? text('FileDescription'),
    version: text('ProductVersion') ?? text('FileVersion'),
    publisher: text('CompanyName'),
    architectures: await architecturesOf(file, program),
    is_signed: certificates !== null,
    signer: certificates && (await optional(() => signerIn(file, certificates))),
  }
  return { facts, icon: await optional(() => programIcon(file, program)) }
}

/** An installer is always for x86, also one that installs a 64-bit program. */
async function architecturesOf(file: PackageFile, { machine, end }: Program): Promise<string[]> {
  const length = 4 + NSIS.length
  const isInstaller = end + length <= file.size && (await file.read(end, length)).subarray(4).equals(NSIS)
  const architecture = MACHINES.get(machine)
  return isInstaller || architecture === undefined ? [] : [architecture]
}

/** The certificate of an Authenticode signature. */
async function signerIn(file: PackageFile, { position, length }: Place): Promise<Facts['signer']> {
  const bytes = await file.read(position, Math.min(length, MOST_SIGNATURE_BYTES))
  return signingCertificate(bytes.subarray(SIGNATURE_HEAD_BYTES))
}
