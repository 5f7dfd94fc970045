/** /projects/:id/updates, inside ProjectPage (being built; the route and the export name stay). */
export function ProjectUpdatesPage() {
  return null
}
