import { useScrollToHash } from '../../lib/hooks/use-scroll-to-hash'
import { ExportSection } from './export-section'
import { ImportSection } from './import-section'

/** The parts of the account page that take things along and bring them in. */
export function AccountExports() {
  useScrollToHash()

  return (
    <>
      <ExportSection />
      <ImportSection />
    </>
  )
}
