/** Firmware and processors that can boot a disk, by its files. */
export interface BootFacts {
  boots: ('UEFI' | 'Raspberry Pi')[]
  architectures: string[]
}

/**
 * The default programs in `\EFI\BOOT`, by the beginning of their names, which FAT may shorten (UEFI
 * 2.10, 3.5.1.1).
 */
const UEFI_PROGRAMS = [
  ['BOOTX64', 'x64'],
  ['BOOTIA32', 'x86'],
  ['BOOTAA64', 'arm64'],
  ['BOOTARM', 'arm'],
  ['BOOTRI', 'riscv64'],
  ['BOOTLO', 'loong64'],
] as const

/**
 * The kernels and firmware in the boot partition of a Raspberry Pi (its documentation, "Boot folder
 * contents").
 */
const PI_FIRMWARE = /^(BOOTCODE\.BIN|START\d?\.ELF|KERNEL_?2712\.IMG|KERNEL8\.IMG)$/
const PI_KERNELS = [
  ['KERNEL8.IMG', 'arm64'],
  ['KERNEL7.IMG', 'arm'],
  ['KERNEL.IMG', 'arm'],
] as const

/** `root`, `efi`: the names in the root folder and in `EFI/BOOT`, in upper case. */
export function findBoots(root: readonly string[], efi: readonly string[]): BootFacts {
  const uefi = UEFI_PROGRAMS.filter(([program]) =>
    efi.some((name) => name.startsWith(program) && /\.EFI$/.test(name)),
  )

  const isPi = root.filter((name) => PI_FIRMWARE.test(name)).length >= 2
  const kernels = isPi ? PI_KERNELS.filter(([kernel]) => root.includes(kernel)) : []
  const names = [...uefi, ...kernels].map(([, architecture]) => architecture)

  return {
    boots: [
      ...(uefi.length > 0 ? (['UEFI'] as const) : []),
      ...(isPi ? (['Raspberry Pi'] as const) : []),
    ],
    architectures: [...new Set(names)],
  }
}
