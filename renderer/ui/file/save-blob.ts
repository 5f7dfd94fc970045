/** Saves bytes that the page made as a file of the visitor. */
export function saveBlob(content: Blob, filename: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = filename
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads the bytes a moment after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
