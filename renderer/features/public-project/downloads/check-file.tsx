import { Stack, Text } from '@mantine/core'
import { Suspense } from 'react'
import type { LinkedFile, Project } from '../../../../server/contract'
import { lazyPage } from '../../../lib/browser/lazy-page'
import { Digest } from './digest'
import { Disclosure } from '../../../ui/layout/disclosure'

/** Loaded on request only, because the page is for downloading. */
const CheckLines = lazyPage(() => import('./check-lines'), 'CheckLines')

/** How to check a downloaded copy against the published file. */
export function CheckFile({ project, file }: { project: Project; file: LinkedFile }) {
  return (
    <Disclosure label="Check the file">
      <Stack gap="xs">
        <Text>If your copy has this SHA-256, it is the file that {project.owner} published, byte for byte.</Text>
        <div>
          <Digest sha256={file.sha256} />
        </div>
        <Suspense>
          <CheckLines project={project} file={file} />
        </Suspense>
      </Stack>
    </Disclosure>
  )
}
