/** /projects/:id/people, inside ProjectPage (being built; the route and the export name stay). */
export function ProjectPeoplePage() {
  return null
}
