import { useOutletContext } from 'react-router-dom'
import type { Project } from '../../../server/contract'

export const useOpenProject = (): Project => useOutletContext<Project>()
