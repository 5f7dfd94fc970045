import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { OwnedLink } from '../../../server/contract/link-fields'
import { useShareUrl } from '../../lib/host/host'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { isCovered } from '../../ui/dialog/is-covered'
import { Loaded } from '../../ui/feedback/loaded'
import { notifySuccess } from '../../ui/feedback/notify'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { copyText } from '../../visitor/parts/copy-text'
import classes from './access-links.module.css'

/** What a form for a link gets. */
export interface LinkFormParts<Link> {
  /** Undefined: a new link. */
  saved: Link | undefined
  onSaved: (link: Link) => void
  /** Undefined: there is nothing to return to. */
  onCancel: (() => void) | undefined
}

interface LinksProps<Link> {
  /** Names the list. */
  label: string
  /** Explains the links before there is one. */
  intro: ReactNode
  row: (link: Link, onChange: () => void) => ReactNode
  form: (parts: LinkFormParts<Link>) => ReactNode
  onClose: () => void
}

interface LinksDialogProps<Link> extends LinksProps<Link> {
  title: ReactNode
  isOpen: boolean
  query: Parameters<typeof Loaded<readonly Link[]>>[0]['query']
}

/** Links with the form for another one, or for a change of one of them. */
export function LinksDialog<Link extends OwnedLink>(props: LinksDialogProps<Link>) {
  const { title, isOpen, query, onClose } = props
  const isPhone = useIsPhone()
  const content = useRef<HTMLDivElement>(null)

  return (
    <Modal
      opened={isOpen}
      onClose={() => isCovered(content.current) || onClose()}
      title={title}
      size="lg"
      fullScreen={isPhone}
      returnFocus={false}
    >
      <div ref={content}>
        <Loaded
          query={query}
          title="The links could not be loaded"
          skeleton={<Skeleton h={120} role="status" aria-label="Loading" />}
        >
          {(links) => <Links links={links} {...props} />}
        </Loaded>
      </div>
    </Modal>
  )
}

function Links<Link extends OwnedLink>(props: LinksProps<Link> & { links: readonly Link[] }) {
  const { links, label, intro, row, form, onClose } = props
  const toUrl = useShareUrl()
  const [edited, setEdited] = useState<Link | 'new'>()
  const isEmpty = links.length === 0
  const content = useFocus(links.length, edited)
  const close = () => setEdited(undefined)

  const showCreated = async ({ url }: Link) => {
    close()
    const address = url === null ? '' : toUrl(new URL(url).pathname)
    if (address !== '' && (await copyText(address))) notifySuccess('Link created and copied')
  }

  const isNew = isEmpty || edited === 'new'
  const parts: LinkFormParts<Link> = {
    saved: isNew ? undefined : edited,
    onSaved: isNew ? (link) => void showCreated(link) : close,
    onCancel: isEmpty ? undefined : close,
  }

  return (
    <Stack gap="md" ref={content}>
      {isEmpty ? (
        <Text c="dimmed">{intro}</Text>
      ) : (
        <ul className={classes.list} aria-label={label}>
          {links.map((link) => row(link, () => setEdited(link)))}
        </ul>
      )}
      {!isEmpty && <OnlyThisComputer />}
      {isEmpty || edited ? (
        form(parts)
      ) : (
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => setEdited('new')}
          >
            Create another link
          </Button>
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** Focuses what replaced the focused control: the form, else the newest link. */
function useFocus(count: number, edited: unknown) {
  const content = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (document.activeElement !== document.body) return
    const next = edited
      ? 'form input:not([type=radio]), form input:checked'
      : 'button, input:checked'
    content.current?.querySelector<HTMLElement>(next)?.focus()
  }, [count, edited])

  return content
}
