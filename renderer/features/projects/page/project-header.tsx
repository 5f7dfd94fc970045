import { ActionIcon, Badge, Button, Group, Title } from '@mantine/core'
import { IconArrowLeft, IconChevronDown, IconShare } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Project } from '../../../../server/contract'
import { lazyPage } from '../../../lib/browser/lazy-page'
import { paths } from '../../../paths'
import { LateMenu } from '../../../ui/table/late-menu'
import { Monogram } from '../../../ui/text/monogram'
import { VisibilityBadge } from '../visibility-badge'
import classes from './project-header.module.css'
import { VisibilityButton } from './visibility-button'

const ShareMenu = lazyPage(() => import('./share-menu'), 'ShareMenu')

const shareButton = (
  <Button
    variant="default"
    leftSection={<IconShare size={16} />}
    rightSection={<IconChevronDown size={14} aria-hidden />}
    aria-haspopup="menu"
  >
    Share
  </Button>
)

/** The head of every tab: the project, its visibility and sharing. */
export function ProjectHeader({ project }: { project: Project }) {
  const { title, icon_url, is_public, owner, role, can } = project

  return (
    <>
      <Group gap="xs" wrap="nowrap" className={classes.name}>
        <ActionIcon
          component={Link}
          to={paths.projects}
          variant="subtle"
          color="gray"
          aria-label="All projects"
        >
          <IconArrowLeft size={18} />
        </ActionIcon>
        <Monogram name={title} icon={icon_url} size={32} />
        <Title order={1} className={classes.title} title={title}>
          <bdi>{title}</bdi>
        </Title>
      </Group>
      <Group gap="xs" className={classes.actions}>
        {can.includes('update') ? (
          <VisibilityButton project={project} />
        ) : (
          <VisibilityBadge isPublic={is_public} />
        )}
        {role !== 'owner' && <Badge color="gray">Shared by {owner}</Badge>}
        <div className={classes.share}>
          <LateMenu button={shareButton}>
            {(start) => <ShareMenu project={project} {...start} />}
          </LateMenu>
        </div>
      </Group>
    </>
  )
}
