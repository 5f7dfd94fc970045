import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useShareUrl } from '../../lib/host/host'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { notifySuccess } from '../../ui/feedback/notify'
import { copyText } from '../../visitor/parts/copy-text'
import classes from './share-links.module.css'

interface FormParts<Link> {
  /** Undefined: a new link. */
  saved: Link | undefined
  onSaved: (link: Link) => void
  /** Undefined: there is nothing to return to. */
  onCancel: (() => void) | undefined
}

interface LinksPanelProps<Link> {
  links: readonly Link[]
  /** Names the list. */
  label: string
  /** Explains the links before there is one. */
  intro: ReactNode
  row: (link: Link, onChange: () => void) => ReactNode
  form: (parts: FormParts<Link>) => ReactNode
  onDone: () => void
}

/** Links with the form for another one, or for a change of one of them. */
export function LinksPanel<Link extends { url: string | null }>(props: LinksPanelProps<Link>) {
  const { links, label, intro, row, form, onDone } = props
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
  const parts: FormParts<Link> = {
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
          <Button variant="default" onClick={onDone}>
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
