import { copyText } from './copy-text'

/** A button says this long that it has copied, in ms. */
const COPIED_MS = 2000

let isListening = false

/**
 * Does what buttons and downloads of the pages for visitors do, on the server's page and in the app
 * alike.
 */
export function listenToPage(): void {
  if (isListening) return

  isListening = true
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.defaultPrevented) return
    const copy = event.target.closest<HTMLElement>('[data-copy]')
    if (copy) return void showCopied(copy)
    const share = event.target.closest<HTMLElement>('[data-share]')
    if (share && hasShareSheet()) return openShareSheet(event, share)
    const download = event.target.closest('a[download]')
    if (download) showStarted(download)
  })
}

async function showCopied(button: HTMLElement): Promise<void> {
  const value = button.dataset['copy'] ?? ''
  if (!(await copyText(value))) {
    window.prompt('This browser did not allow copying. Copy it by hand:', value)
    return
  }
  button.dataset['copied'] = ''
  setTimeout(() => delete button.dataset['copied'], COPIED_MS)
}

/**
 * On computers a QR code does more. Typed as always present, but missing outside a secure context.
 */
const hasShareSheet = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches

function openShareSheet(event: Event, { dataset }: HTMLElement): void {
  event.preventDefault()
  // Rejected when the visitor closes the sheet.
  navigator.share({ title: document.title, url: dataset['share'] ?? '' }).catch(() => undefined)
}

/** The card of the file says that its download has started, and unfolds the next steps. */
function showStarted(link: Element): void {
  const card = link.closest<HTMLElement>('.primary')
  if (!card) return
  card.dataset['started'] = ''
  card.querySelector('details.steps')?.setAttribute('open', '')
  card.querySelector('.started')?.scrollIntoView({ block: 'nearest' })
}
