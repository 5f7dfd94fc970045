import type { BrowserWindow } from 'electron'
import type { RunningServer } from '../../server'

/** The window of the app, which loads nothing but pages of its server. */
export interface OpenWindow {
  server: RunningServer
  window: BrowserWindow
  origin: string
}

/** Whether this is an http address of exactly our scheme, host and port. */
export function isOwnPage(address: string, origin: string): boolean {
  return (
    URL.canParse(address) &&
    new URL(address).protocol === 'http:' &&
    new URL(address).origin === origin
  )
}

/**
 * Whether the window may load this: our server, blobs of our own pages, and the developer tools.
 */
export function mayLoad(address: string, origin: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, origin: from } = new URL(address)
  if (['data:', 'devtools:'].includes(protocol)) return true
  return ['http:', 'blob:'].includes(protocol) && from === origin
}

/** The address to open in the system's browser or mail program; undefined: neither. */
export function webLink(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}

interface Sender {
  senderFrame: { parent: object | null; origin: string } | null
}

/** Throws unless the message comes from our own top-level page. */
export function requireOwnPage({ senderFrame }: Sender, origin: string): void {
  const trusted =
    senderFrame !== null && senderFrame.parent === null && senderFrame.origin === origin
  if (!trusted) throw new Error('This page may not do that')
}
