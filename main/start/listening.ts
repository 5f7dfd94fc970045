import { dialog } from 'electron'
import { ListenError, nextFreePort, type RunningServer } from '../../server'
import { GivenUpError, mayShowDialogs } from '../failure'
import { isHiddenStart } from './hidden-start'
import type { Options } from './options'
import { addToStartReport } from '../start-report'

interface Conflict {
  port: number
  /** Why the port cannot be had, after `Port 4780 is`. */
  obstacle: string
  free: number | undefined
}

/**
 * Listens on the address of the settings or of the command line. A port of the command line must be
 * free; one of the settings may be replaced for this run if the person agrees, or without dialogs.
 * Throws ListenError and GivenUpError.
 */
export async function listenOrAsk(server: RunningServer, options: Options): Promise<void> {
  const settings = server.settings.get()
  const { choices } = options
  const host = choices.host ?? settings.host
  const port = choices.port ?? settings.port
  const only = choices.host === undefined ? settings.shared_addresses : []
  const mayAsk = mayShowDialogs() && !isHiddenStart(server, options)

  for (;;) {
    const failure = await server.listen(host, port, only).catch((error: unknown) => error)
    if (!(failure instanceof Error)) return
    if (
      !(failure instanceof ListenError) ||
      failure.obstacle === undefined ||
      choices.port !== undefined
    )
      throw failure
    const conflict = { port, obstacle: failure.obstacle, free: await nextFreePort(host, port + 1) }
    const choice = mayAsk ? await ask(conflict) : 'move'
    if (choice === 'quit') throw new GivenUpError(failure.message)
    if (choice === 'again') continue
    if (conflict.free === undefined) throw failure
    await server.listen(host, conflict.free, only)
    return addToStartReport(movedText(conflict, conflict.free))
  }
}

async function ask({ port, obstacle, free }: Conflict): Promise<'move' | 'again' | 'quit'> {
  const choices = [
    ...(free === undefined ? [] : [{ label: `Use ${free} this time`, choice: 'move' as const }]),
    { label: 'Try again', choice: 'again' as const },
    { label: 'Quit', choice: 'quit' as const },
  ]

  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: `Port ${port} is ${obstacle}`,
    detail: `Links to this host use port ${port}. Try again once it is free, or use another port.`,
    buttons: choices.map(({ label }) => label),
    cancelId: choices.length - 1,
  })

  return choices[response]?.choice ?? 'quit'
}

const movedText = ({ port, obstacle }: Conflict, free: number) =>
  `Port ${port} is ${obstacle}, so the host listens on ${free} this time. Links with port ` +
  `${port} do not work until the next start.`
