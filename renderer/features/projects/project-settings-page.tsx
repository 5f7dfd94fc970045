/** /projects/:id/settings, inside ProjectPage (being built; the route and the export name stay). */
export function ProjectSettingsPage() {
  return null
}
