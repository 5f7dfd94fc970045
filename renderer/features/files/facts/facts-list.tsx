import { Code, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { describeKind, type File } from '../../../../server/contract'
import type { Facts } from '../../../../server/contract/files/facts'
import { expiryWords, factRows, type FactRow } from '../../../../server/texts/package-texts'
import { permissionGroups, type PermissionGroup } from '../../../../server/texts/permission-texts'
import { FileIcon } from '../../../ui/file/file-icon'
import { Disclosure } from '../../../ui/layout/disclosure'
import { useNow } from '../../../ui/text/use-now'
import { CopyableCode } from './copyable-code'
import classes from './facts.module.css'

export type DetailedFile = Pick<File, 'file_id' | 'filename' | 'version' | 'icon_url' | 'sha256'> &
  Partial<Pick<File, 'mirror' | 'received' | 'uploaded_at'>>

/** More permissions than this are folded. */
const MOST_OPEN = 6

interface FactsListProps {
  file: DetailedFile
  facts: Facts
  /** Why no package manager can list the package. */
  unlisted: string | null
}

export function FactsList({ file, facts, unlisted }: FactsListProps) {
  const now = useNow()
  const rows = factRows(facts, now, file.version)

  return (
    <>
      <Group gap="sm" wrap="nowrap">
        <FileIcon filename={file.filename} icon={file.icon_url} size={48} />
        <div className={classes.head}>
          <Text fw={600} size="md">
            <bdi>{facts.name ?? file.filename}</bdi>
          </Text>
          <Text c="dimmed">{describeKind(facts.kind).label}</Text>
        </div>
      </Group>
      <dl className={classes.rows}>
        {rows.map((row) => (
          <Row key={row.label} row={row} />
        ))}
      </dl>
      {unlisted !== null && <Part title="Not in Get updates">{unlisted}</Part>}
      {facts.android && <Permissions names={facts.android.permissions} />}
      {facts.signer && <Signer signer={facts.signer} now={now} />}
    </>
  )
}

function Row({ row: { label, value, isCode } }: { row: FactRow }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{isCode ? <Code className={classes.code}>{value}</Code> : <bdi>{value}</bdi>}</dd>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="xs">
      <Title order={3} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  )
}

function Permissions({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <Part title="Permissions">This app asks for no permissions.</Part>

  const groups = permissionGroups(names)
  const list = (
    <Stack gap="sm">
      {groups.map((group) => (
        <Permitted key={group.title} group={group} />
      ))}
    </Stack>
  )

  return (
    <Part title="Permissions">
      {names.length <= MOST_OPEN ? (
        list
      ) : (
        <Disclosure label={`${names.length} permissions`}>{list}</Disclosure>
      )}
    </Part>
  )
}

function Permitted({ group: { title, permissions } }: { group: PermissionGroup }) {
  return (
    <div>
      <Text fw={600}>{title}</Text>
      <ul className={classes.permissions} aria-label={title}>
        {permissions.map(({ name, words }) => (
          <li key={name} title={name}>
            <bdi>{words}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The checksum of a file, to compare and to copy. */
export const Digest = ({ sha256 }: Pick<DetailedFile, 'sha256'>) => (
  <Part title="SHA-256">
    <CopyableCode value={sha256} label="Copy SHA-256" />
  </Part>
)

function Signer({ signer, now }: { signer: NonNullable<Facts['signer']>; now: Date }) {
  const { name, sha256, expires_at } = signer

  return (
    <Part title="Signing certificate">
      {name !== null && <bdi className={classes.text}>{name}</bdi>}
      <CopyableCode value={sha256} label="Copy SHA-256 of the certificate" />
      <Text size="xs" c="dimmed">
        {expires_at !== null && `${expiryWords(expires_at, now)}. `}
        Present, not checked: Slipway reads the certificate, but does not verify it.
      </Text>
    </Part>
  )
}
