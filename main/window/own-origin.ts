/** Whether this is an http address of exactly our own scheme, host and port. */
export function isOwnPage(address: string, origin: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'http:' && new URL(address).origin === origin
}

/** What the window may load: our own server, what our own pages made in memory, and the developer tools. */
export function mayLoad(address: string, origin: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, origin: from } = new URL(address)
  if (['data:', 'devtools:'].includes(protocol)) return true
  return ['http:', 'blob:'].includes(protocol) && from === origin
}

/** The address to hand to the system's browser or mail program; undefined: it is for neither. */
export function webLink(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}

/** What we look at in the frame that sent a message. */
interface Sender {
  senderFrame: { parent: object | null; origin: string } | null
}

/** Throws unless a message comes from our own page itself: not from a frame in it, nor from another page. */
export function requireOwnPage({ senderFrame }: Sender, origin: string): void {
  const trusted = senderFrame !== null && senderFrame.parent === null && senderFrame.origin === origin
  if (!trusted) throw new Error('This page may not do that')
}
