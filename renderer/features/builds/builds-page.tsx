/** /apk-builds (being built; the route and the export name stay). */
export function BuildsPage() {
  return null
}
