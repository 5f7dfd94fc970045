/** /my-files (being built; the route and the export name stay). */
export function MyFilesPage() {
  return null
}
