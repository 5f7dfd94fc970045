import type { Project } from '../../../server/contract'
import { downloadUrl } from '../../paths'

/** The project as schema.org data for search engines. */
export function structuredData(project: Project): object {
  const { origin } = window.location
  const [newest] = project.downloads.filter(({ is_public }) => is_public)

  return {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: project.title,
    description: project.summary || project.title,
    applicationCategory: 'Application',
    operatingSystem: project.platforms.join(', ') || 'Any',
    author: { '@type': 'Person', name: project.owner },
    datePublished: project.created_at,
    dateModified: project.updated_at,
    offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
    ...(newest && {
      downloadUrl: origin + downloadUrl.project(project.project_id, newest.file_id),
      ...(newest.version !== null && { softwareVersion: newest.version }),
    }),
  }
}
