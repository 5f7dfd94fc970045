import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ShareLink } from '../../../server/contract'
import { useShareUrl } from '../../lib/host/host'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { isCovered } from '../../ui/dialog/is-covered'
import { Loaded } from '../../ui/feedback/loaded'
import { notifySuccess } from '../../ui/feedback/notify'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { copyText } from '../../visitor/parts/copy-text'
import { ShareForm } from './share-form'
import { ShareLinkRow } from './share-link-row'
import { closeShareLinks, type SharedFile, type useShareRequest } from './share-place'
import classes from './share-links.module.css'
import { useShareLinkActions, useShareLinks } from './use-share-links'

/** The share links of a file, and the form for another one. */
export function ShareDialog({ file, isOpen }: NonNullable<ReturnType<typeof useShareRequest>>) {
  const isPhone = useIsPhone()
  const content = useRef<HTMLDivElement>(null)

  return (
    <Modal
      opened={isOpen}
      onClose={() => isCovered(content.current) || closeShareLinks()}
      title={
        <>
          Share <bdi>{file.filename}</bdi>
        </>
      }
      size="lg"
      fullScreen={isPhone}
      returnFocus={false}
    >
      <div ref={content}>
        <Links file={file} />
      </div>
    </Modal>
  )
}

function Links({ file }: { file: SharedFile }) {
  return (
    <Loaded
      query={useShareLinks(file.file_id)}
      title="The share links could not be loaded"
      skeleton={<Skeleton h={120} role="status" aria-label="Loading" />}
    >
      {(links) => <LoadedLinks file={file} links={links} />}
    </Loaded>
  )
}

function LoadedLinks({ file, links }: { file: SharedFile; links: readonly ShareLink[] }) {
  const { file_id: fileId, filename } = file
  const { renew, end } = useShareLinkActions(fileId)
  const toUrl = useShareUrl()
  const [isCreating, setCreating] = useState(false)
  const isEmpty = links.length === 0
  const content = useFocus(links.length, isCreating)

  const showCreated = async ({ url }: ShareLink) => {
    setCreating(false)
    const address = url === null ? '' : toUrl(new URL(url).pathname)
    if (address !== '' && (await copyText(address))) notifySuccess('Link created and copied')
  }

  return (
    <Stack gap="md" ref={content}>
      {isEmpty ? (
        <Text c="dimmed">
          Anyone who has the link can download this file until the link ends, without an account.
          The file itself stays as it is.
        </Text>
      ) : (
        <ul className={classes.list} aria-label="Share links">
          {links.map((link) => (
            <ShareLinkRow
              key={link.share_id}
              link={link}
              filename={filename}
              onRenew={() => renew(link)}
              onEnd={() => end(link)}
            />
          ))}
        </ul>
      )}
      {!isEmpty && <OnlyThisComputer />}
      {isEmpty || isCreating ? (
        <ShareForm
          fileId={fileId}
          onCreated={(link) => void showCreated(link)}
          onCancel={isEmpty ? undefined : () => setCreating(false)}
        />
      ) : (
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => setCreating(true)}
          >
            Create another link
          </Button>
          <Button variant="default" onClick={closeShareLinks}>
            Done
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** Focuses what replaced the focused control: the form, else the newest link. */
function useFocus(count: number, isCreating: boolean) {
  const content = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (document.activeElement !== document.body) return
    const next = isCreating ? 'form input:checked' : 'button, input:checked'
    content.current?.querySelector<HTMLElement>(next)?.focus()
  }, [count, isCreating])

  return content
}
