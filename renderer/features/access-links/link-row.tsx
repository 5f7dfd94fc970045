import { Badge, Group, Menu, Stack, Text } from '@mantine/core'
import { IconLinkOff, IconLock, IconPencil, IconQrcode, IconRefresh } from '@tabler/icons-react'
import type { OwnedLink } from '../../../server/contract/link-fields'
import { DAY_MS, HOUR_MS } from '../../../server/contract/limits'
import { useShareUrl } from '../../lib/host/host'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { formatAge, formatDate, formatExactTime, formatQuantity } from '../../lib/texts/format'
import { useQrCode } from '../../ui/dialog/show-qr-code'
import { LateMenu, MenuButton } from '../../ui/table/late-menu'
import { RowAction } from '../../ui/table/row-action'
import { CopyButton } from '../../ui/text/copy-button'
import { useNow } from '../../ui/text/use-now'
import classes from './access-links.module.css'

interface LinkRowProps {
  link: OwnedLink
  /** The base of the filename of its QR code. */
  filename: string
  /** How often it was used: '1 of 3 downloads'. */
  use: string
  onChange: () => void
  onRenew: () => void
  onEnd: () => void
}

/** A link with its address, its use, and what can be done with it. */
export function LinkRow({ link, filename, use, onChange, onRenew, onEnd }: LinkRowProps) {
  const { url, name, active } = link
  const toUrl = useShareUrl()
  const address = url === null ? undefined : toUrl(new URL(url).pathname)
  const title = name || address || 'Link without an address'
  const qr = useQrCode({ value: address ?? '', name: filename, notice: <OnlyThisComputer /> })

  return (
    <li className={classes.row} aria-label={`Link ${title}`}>
      <Stack gap={2} flex="1 1 14rem" miw={0}>
        {name !== '' && (
          <Text component="bdi" fw={600} truncate title={name}>
            {name}
          </Text>
        )}
        <span className={classes.address} data-ended={!active || undefined}>
          {address ?? 'The host can no longer read the address. Get a new one.'}
        </span>
        <Use link={link} use={use} />
      </Stack>
      <Group gap={4} wrap="nowrap" ml="auto">
        {active && address !== undefined && (
          <>
            <CopyButton value={address} label="Copy link" look="icon" />
            <RowAction icon={IconQrcode} verb="Show QR code of" what={title} onClick={qr.show} />
          </>
        )}
        {active ? (
          <LateMenu button={<MenuButton label={`Actions for ${title}`} size="md" />}>
            {({ button, defaultOpened }) => (
              <Menu position="bottom-end" defaultOpened={defaultOpened}>
                <Menu.Target>{button}</Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item leftSection={<IconPencil size={16} />} onClick={onChange}>
                    Change…
                  </Menu.Item>
                  <Menu.Item leftSection={<IconRefresh size={16} />} onClick={onRenew}>
                    New address…
                  </Menu.Item>
                  <Menu.Item
                    c="var(--mantine-color-error)"
                    leftSection={<IconLinkOff size={16} />}
                    onClick={onEnd}
                  >
                    End the link…
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </LateMenu>
        ) : (
          <>
            <RowAction icon={IconPencil} verb="Change" what={title} onClick={onChange} />
            <RowAction icon={IconLinkOff} verb="Remove" what={title} onClick={onEnd} />
          </>
        )}
      </Group>
      {qr.dialog}
    </li>
  )
}

function Use({ link, use }: Pick<LinkRowProps, 'link' | 'use'>) {
  const { active, expires_at, has_password, last_used_at } = link
  const now = useNow()

  return (
    <Group gap="2px 12px" c="dimmed" fz="xs">
      {active ? (
        <time dateTime={expires_at} title={formatExactTime(expires_at)}>
          {untilText(expires_at, now)}
        </time>
      ) : (
        <Badge color="gray">Ended</Badge>
      )}
      <span>{use}</span>
      <span>
        {last_used_at === null
          ? 'Not opened yet'
          : `Last used ${formatAge(last_used_at, now, 'just now')}`}
      </span>
      {has_password && (
        <Group gap={4} wrap="nowrap">
          <IconLock size={14} aria-hidden />
          Password
        </Group>
      )}
    </Group>
  )
}

/** 'Ends in 3 days', later than a month the date. */
function untilText(expiresAt: string, now: Date): string {
  const left = Date.parse(expiresAt) - now.getTime()
  if (left < HOUR_MS) return 'Ends within the hour'
  if (left < 2 * DAY_MS) return `Ends in ${formatQuantity(Math.round(left / HOUR_MS), 'hour')}`
  const days = Math.round(left / DAY_MS)
  return days <= 31 ? `Ends in ${formatQuantity(days, 'day')}` : `Ends ${formatDate(expiresAt)}`
}
