import type { Facts } from '../../../contract/files/facts'
import { signingCertificate } from '../certificate/signing-certificate.ts'
import { noFacts, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile, Place } from '../package-file.ts'
import { openProgram, type Program } from './portable-executable.ts'
import { programIcon, versionTexts } from './resources.ts'

/** IMAGE_FILE_MACHINE_… (PE Format, Microsoft). */
const MACHINES: ReadonlyMap<number, string> = new Map([
  [0x14c, 'x86'],
  [0x8664, 'x64'],
  [0x1c0, 'arm'],
  [0x1c4, 'arm'],
  [0xaa64, 'arm64'],
])
/**
 * Marker after the program of an NSIS installer and four bytes of flags (its
 * Source/exehead/fileform.h).
 */
const NSIS = Buffer.concat([Buffer.from('efbeadde', 'hex'), Buffer.from('NullsoftInst')])
/** The comments of an Inno Setup installer, which its authors cannot change. */
const INNO = 'This installation was built with Inno Setup'
/** NSIS looks for its own header at each multiple of this (its Source/exehead/fileform.c). */
const NSIS_STEP = 512
const NSIS_SEARCHED_BYTES = 64 * 1024
/** Signatures have some 10 kB. */
const MOST_SIGNATURE_BYTES = 1024 * 1024
/**
 * Length, revision and type of a WIN_CERTIFICATE (PE Format, "The attribute certificate table").
 */
const SIGNATURE_HEAD_BYTES = 8

/** Reads a Windows program or installer. */
export async function readWindowsProgram(file: PackageFile): Promise<Look> {
  const program = await openProgram(file)
  const { certificates } = program
  const text = await versionTexts(file, program)
  const installer = await readInstaller(file, program, text('Comments'))

  const facts = {
    ...noFacts('exe'),
    name: text('ProductName') ?? text('FileDescription'),
    version: text('ProductVersion') ?? text('FileVersion'),
    publisher: text('CompanyName'),
    architectures: installer === null ? listArchitectures(program) : [],
    is_signed: certificates !== null,
    installer,
    signer: certificates && (await optional(() => readSigner(file, certificates))),
  }
  return { facts, icon: await optional(() => programIcon(file, program)) }
}

function listArchitectures({ machine, isManaged }: Program): string[] {
  const architecture = MACHINES.get(machine)
  return architecture === undefined || (architecture === 'x86' && isManaged) ? [] : [architecture]
}

/**
 * Detects the tool that made an installer. Such a program is always x86, even if it installs a
 * 64-bit program.
 */
async function readInstaller(
  file: PackageFile,
  { end }: Program,
  comments: string | null,
): Promise<'nsis' | 'inno' | null> {
  if (comments?.startsWith(INNO)) return 'inno'
  return (await hasNsisHeader(file, end)) ? 'nsis' : null
}

/** Whether an NSIS header follows the program, which ends at `end`. */
async function hasNsisHeader(file: PackageFile, end: number): Promise<boolean> {
  if (end >= file.size) return false
  const bytes = await file.read(end, Math.min(NSIS_SEARCHED_BYTES, file.size - end))
  const first = (NSIS_STEP - (end % NSIS_STEP)) % NSIS_STEP
  for (let at = first; at + 4 + NSIS.length <= bytes.length; at += NSIS_STEP)
    if (bytes.subarray(at + 4, at + 4 + NSIS.length).equals(NSIS)) return true
  return false
}

/** The certificate of an Authenticode signature. */
async function readSigner(
  file: PackageFile,
  { position, length }: Place,
): Promise<Facts['signer']> {
  const bytes = await file.read(position, Math.min(length, MOST_SIGNATURE_BYTES))
  return signingCertificate(bytes.subarray(SIGNATURE_HEAD_BYTES))
}
