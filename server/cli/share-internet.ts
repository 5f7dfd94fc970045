import { setTimeout as pause } from 'node:timers/promises'
import type { RunningServer } from '../index'
import type { OpenRequest } from '../features/internet/open-request'
import { internetLines } from './internet-lines'

/** How often to look for the host account, in ms. */
const LOOK_MS = 1000

/**
 * Prints each change of how people outside reach this host. `opening` opens it, as soon as there is
 * a host account; without it, the settings decide.
 */
export function shareWithInternet(
  server: Pick<RunningServer, 'internet' | 'hasHostAccount' | 'openToInternet'>,
  opening: Pick<OpenRequest, 'way' | 'terms_accepted'> | undefined,
  print: (text: string) => void,
): void {
  const { internet } = server
  let printed = ''
  const tell = () => {
    const text = internetLines(internet.view()).join('\n')
    if (text === printed || (printed === '' && internet.view().way === 'off')) return
    print(text)
    printed = text
  }
  internet.onChange(tell)
  if (opening === undefined) return tell()
  const open = async () => {
    if (!server.hasHostAccount) print('This host opens to the internet once it has a host account.')
    while (!server.hasHostAccount) await pause(LOOK_MS, undefined, { ref: false })
    await server.openToInternet({ ...opening, keep_registration_open: false })
  }
  open().catch((error: unknown) =>
    print(`This host is not open to the internet: ${(error as Error).message}`),
  )
}
