/** /projects/:id (index): the files tab, an index route inside ProjectPage's <Outlet> (being built; the route and the export name stay). */
export function ProjectFilesPage() {
  return null
}
