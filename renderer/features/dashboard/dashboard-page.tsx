/** /dashboard (being built; the route and the export name stay). */
export function DashboardPage() {
  return null
}
