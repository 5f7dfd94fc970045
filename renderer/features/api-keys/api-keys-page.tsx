/** /api-keys (being built; the route and the export name stay). */
export function ApiKeysPage() {
  return null
}
