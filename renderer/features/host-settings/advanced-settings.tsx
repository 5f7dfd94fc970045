import { Suspense } from 'react'
import { useLocation } from 'react-router-dom'
import { useLoadLater } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { Disclosure } from '../../ui/layout/disclosure'
import { TableSkeleton } from '../../ui/table/skeletons'
import type { AdvancedSettingsProps } from './advanced-fields'
import { isAdvanced } from './setting-groups'

const loadFields = () => import('./advanced-fields')
const AdvancedFields = lazyPage(loadFields, 'AdvancedFields')

/** All other settings, loaded when they are first opened. A link to one of them opens it. */
export function AdvancedSettings(props: AdvancedSettingsProps) {
  const part = useLocation().hash.slice(1)
  useLoadLater(loadFields)
  const hasMistake = Object.keys(props.form.errors).some(isAdvanced)

  return (
    <Disclosure label="Advanced" isOpen={isAdvanced(part)} hasMistake={hasMistake}>
      <Suspense fallback={<TableSkeleton rows={6} />}>
        <AdvancedFields {...props} />
      </Suspense>
    </Disclosure>
  )
}
