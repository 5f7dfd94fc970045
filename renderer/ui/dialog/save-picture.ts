/** Pixels per side, enough for a poster. */
const PNG_SIZE = 1024

export function saveSvg(picture: SVGSVGElement, name: string): void {
  save(new Blob([markupOf(picture)], { type: 'image/svg+xml' }), `${name}.svg`)
}

export async function savePng(picture: SVGSVGElement, name: string): Promise<void> {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(markupOf(picture, PNG_SIZE))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = PNG_SIZE
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  const png = await new Promise<Blob | null>((made) => canvas.toBlob(made, 'image/png'))
  if (!png) throw new Error('This browser could not draw the picture')
  save(png, `${name}.png`)
}

function markupOf(picture: SVGSVGElement, size = PNG_SIZE): string {
  const copy = picture.cloneNode(true) as SVGSVGElement
  copy.setAttribute('width', String(size))
  copy.setAttribute('height', String(size))
  return new XMLSerializer().serializeToString(copy)
}

function save(content: Blob, filename: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = filename
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads the bytes a moment after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
