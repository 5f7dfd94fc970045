import { Badge, Button, Group, Progress, Switch, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FileIcon } from '../../ui/file/file-icon'
import { Monogram } from '../../ui/text/monogram'
import classes from './landing-page.module.css'

/** Three illustrations of the product, built from its own components. */
export function Features() {
  return (
    <section aria-labelledby="features">
      <Title order={2} id="features" mb="md">
        From a file to a download
      </Title>
      <div className={classes.features}>
        <Feature
          title="Drop a build"
          text="APK, IPA, EXE, DMG, ZIP and anything else, up to 2 GB each. Public or private, changed with one switch."
          picture={<UploadPicture />}
        />
        <Feature
          title="Give it a page"
          text="Visitors get the right file for their device, its checksum and your updates. You see downloads and views."
          picture={<PagePicture />}
        />
        <Feature
          title="Let CI do the rest"
          text="One API key and one line in your pipeline publish every build, over your own network."
          picture={<PipelinePicture />}
        />
      </div>
    </section>
  )
}

function Feature({ title, text, picture }: { title: string; text: string; picture: ReactNode }) {
  return (
    <article className={classes.feature}>
      <figure className={classes.picture} aria-hidden inert>
        {picture}
      </figure>
      <Title order={3}>{title}</Title>
      <p>{text}</p>
    </article>
  )
}

function UploadPicture() {
  return (
    <div className={classes.sheet}>
      <Group gap="sm" wrap="nowrap">
        <FileIcon filename="lantern-1.4.0.apk" />
        <Text fw={600} truncate>
          lantern-1.4.0.apk
        </Text>
        <Text size="xs" c="dimmed" ml="auto">
          64%
        </Text>
      </Group>
      <Progress value={64} my="sm" size="sm" />
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" c="dimmed">
          27.40 of 42.80 MB
        </Text>
        <Switch size="xs" checked readOnly label="Public" tabIndex={-1} />
      </Group>
    </div>
  )
}

function PagePicture() {
  return (
    <div className={classes.sheet}>
      <Group gap="sm" wrap="nowrap" mb="md">
        <Monogram name="Lantern" size={32} />
        <Text fw={600}>Lantern</Text>
        <Badge ml="auto">1.4.0</Badge>
      </Group>
      <Button component="span" fullWidth leftSection={<IconDownload size={16} />} tabIndex={-1}>
        Download for Android
      </Button>
    </div>
  )
}

function PipelinePicture() {
  return (
    <div className={classes.terminal}>
      <span style={{ color: 'var(--mantine-color-dimmed)' }}>$</span> curl -F file=@lantern.apk \{'\n'}
      {'    '}-F project_id=lantern \{'\n'}
      {'    '}-H &quot;X-API-Key: $SLIPWAY_KEY&quot; \{'\n'}
      {'    '}$HOST/api/files/upload{'\n'}
      <span style={{ color: 'var(--accent-text)' }}>{'{ "success": true, … }'}</span>
    </div>
  )
}
