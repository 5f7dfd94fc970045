/**
 * Opens the picture that a click is on over the page, for the page of the server and the app alike.
 * A click with a key that opens tabs stays a link.
 */
export function openShot(event: MouseEvent): void {
  const link =
    event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[data-shot]')
  if (
    !link ||
    event.defaultPrevented ||
    event.button !== 0 ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey
  )
    return

  event.preventDefault()
  void import('./lightbox').then(({ Lightbox }) => {
    // A second click while it loaded.
    if (!document.querySelector('.lightbox')) new Lightbox(link)
  })
}
