import { ipcMain } from 'electron'
import { hostLog, type RunningServer } from '../server'
import { desktopChannels } from '../server/contract/host/desktop'
import { isAfterError } from './quit/crash'
import { requireOwnPage } from './window/own-origin'

const AFTER_ERROR = 'Slipway restarted after an error. All saved data is intact.'

const added: string[] = []

export function addToStartReport(text: string): void {
  added.push(text)
  hostLog.warn({}, text)
}

/** Answers the page's request for what this start recovered, and for anything else unusual. */
export function answerStartReport(origin: string, server: RunningServer): void {
  ipcMain.handle(desktopChannels.startReport, async (event) => {
    requireOwnPage(event, origin)
    const recovered = (await server.recovery) ?? (isAfterError() ? AFTER_ERROR : undefined)
    const texts = [...added, ...(recovered === undefined ? [] : [recovered])]
    return texts.length === 0 ? null : texts.join('\n')
  })
}
