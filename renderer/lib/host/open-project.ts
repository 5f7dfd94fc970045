import { useOutletContext } from 'react-router-dom'
import type { Project } from '../../../server/contract'

/** The project of the open page, shared by its tabs. */
export const useOpenProject = (): Project => useOutletContext<Project>()
