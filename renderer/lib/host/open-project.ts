import { useOutletContext } from 'react-router-dom'
import type { Project } from '../../../server/contract'

/** The project whose page is open: the tabs below a project's page all show parts of it. */
export const useOpenProject = (): Project => useOutletContext<Project>()
