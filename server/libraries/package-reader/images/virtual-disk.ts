import type { PackageKind } from '../../../contract/files/formats'
import { noFacts, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { findElements } from '../../../core/xml.ts'
import { readFromTar } from '../linux/tar-start.ts'

const SECTOR = 512

/** Reads the header of a qcow2 image (QEMU, docs/interop/qcow2.txt). */
export async function readQcow2(file: PackageFile): Promise<Look> {
  const head = file.size < 72 ? undefined : await file.read(0, 72)
  const version = head?.readUInt32BE(4) ?? 0
  if (head?.toString('hex', 0, 4) !== '514649fb' || (version !== 2 && version !== 3))
    throw new Unreadable('This is not a qcow2 image.')
  if (head.readBigUInt64BE(8) !== 0n)
    throw new Unreadable('This image needs another one, its backing file, which is not in it.')
  return describe('qcow2', Number(head.readBigUInt64BE(24)))
}

/**
 * Reads a sparse extent of VMware, or the descriptor of one that is in other files ("Virtual Disk
 * Format 5.0").
 */
export async function readVmdk(file: PackageFile): Promise<Look> {
  const head = file.size < 21 ? undefined : await file.read(0, 21)
  if (head?.toString('latin1', 0, 4) === 'KDMV')
    return describe('vmdk', Number(head.readBigUInt64LE(12)) * SECTOR)
  if (head?.toString('latin1', 0, 21) !== '# Disk DescriptorFile')
    throw new Unreadable('This is not a VMDK image.')
  throw new Unreadable('This VMDK file only describes a disk whose bytes are in other files.')
}

/**
 * Reads the OVF descriptor, which comes first in an appliance (DSP0243, section 5.3): its name,
 * version and disks.
 */
export async function readOva(file: PackageFile): Promise<Look> {
  const ovf = await readFromTar(file, (name) => (/\.ovf$/i.test(name) ? 'take' : 'stop')).catch(
    () => null,
  )
  if (!ovf) throw new Unreadable('This is not a virtual appliance.')

  const xml = ovf.toString('utf8')
  const text = (name: string) => findElements(xml, name)[0]?.text || null

  const sizes = findElements(xml, 'Disk').map((disk) => sizeOf(disk.attribute.bind(disk)))
  const size = sizes.reduce<number | null>(
    (sum, it) => (sum === null || it === null ? null : sum + it),
    0,
  )

  const { facts } = describe('ova', sizes.length === 0 ? null : size)
  const name =
    text('Product') ??
    text('Name') ??
    findElements(xml, 'VirtualSystem')[0]?.attribute('ovf:id') ??
    null

  return {
    facts: {
      ...facts,
      name,
      version: text('FullVersion') ?? text('Version'),
      publisher: text('Vendor'),
    },
    icon: null,
  }
}

/** Returns the capacity in bytes. Units have the form `byte * 2^30` (DSP0004, annex C). */
function sizeOf(attribute: (name: string) => string | null): number | null {
  const capacity = attribute('ovf:capacity') ?? ''
  if (!/^\d{1,15}$/.test(capacity)) return null
  const unit = attribute('ovf:capacityAllocationUnits') ?? 'byte'
  const power = /^byte(?:s)?(?:\s*\*\s*2\s*\^\s*(\d{1,2}))?$/.exec(unit.trim())
  return power ? Number(capacity) * 2 ** Number(power[1] ?? 0) : null
}

function describe(kind: PackageKind, size: number | null): Look {
  const isKnown = size !== null && Number.isSafeInteger(size)
  return {
    facts: { ...noFacts(kind), disk: { size: isKnown ? size : null, boots: [] } },
    icon: null,
  }
}
