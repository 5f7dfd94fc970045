import { ActionIcon, Button } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'

interface DownloadAllProps {
  href: string
  /** Number and total size: '3 files · 12.5 MB'. */
  what: string
}

/** Downloads all files as one zip; on a phone, an icon beside the other tools. */
export function DownloadAll({ href, what }: DownloadAllProps) {
  const link = { component: 'a', href, download: true, variant: 'default', title: what } as const

  return (
    <>
      <Button {...link} leftSection={<IconFileZip size={16} />} visibleFrom="sm">
        Download all
      </Button>
      <ActionIcon {...link} size={36} aria-label="Download all" hiddenFrom="sm">
        <IconFileZip size={18} />
      </ActionIcon>
    </>
  )
}
