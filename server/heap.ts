import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the young generation of V8 at 1 MiB for each half, in this process and its workers. It would grow to 64 MiB under
 * a long list or an upload and never shrink; a host that runs for weeks beside other programs would hold that for nothing,
 * as what outlives a reply is in the library. V8 asks for the factor whenever it might grow, so this holds in a process that
 * runs already, as that of Electron does, to which nobody hands switches. The earlier it is called, the less has grown.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Has garbage collected once there is half as much of it as of what lives, and not at up to three times as much. Said
 * when the library is loaded, all of which lives, so that no collection interrupts that. 1,000 downloads that rest
 * half-way, each of another file, take some 80 MiB instead of 133.
 */
export function keepOldGenerationSmall(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
