/** /projects (being built; the route and the export name stay). */
export function ProjectsPage() {
  return null
}
