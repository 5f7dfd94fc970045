/** /projects/:id: layout route with tabs; its children render in <Outlet> (being built; the route and the export name stay). */
export function ProjectPage() {
  return null
}
