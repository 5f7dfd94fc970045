import { Button } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'

interface DownloadAllProps {
  href: string
  /** Number and total size: '3 files · 12.5 MB'. */
  what: string
}

export function DownloadAll({ href, what }: DownloadAllProps) {
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      leftSection={<IconFileZip size={16} />}
      title={what}
    >
      Download all
    </Button>
  )
}
