import { Button, Group, Text, Title } from '@mantine/core'
import { Link } from 'react-router-dom'
import { DEFAULT_DESCRIPTION, DEFAULT_TITLE, LANDING } from '../../../server/contract/pages'
import { useHead } from '../../lib/texts/head'
import { useHost } from '../../lib/host/host'
import { useSession } from '../../lib/session/session'
import { paths } from '../../paths'
import { Features } from './features'
import classes from './landing-page.module.css'
import { LatestProjects } from './latest-projects'

export function LandingPage() {
  useHead({ title: DEFAULT_TITLE, description: DEFAULT_DESCRIPTION, canonical: '/' })
  const { status } = useSession()
  return (
    <div className={classes.page}>
      <Hero />
      <LatestProjects />
      <Features />
      {status === 'out' && <CallToAction />}
    </div>
  )
}

function Hero() {
  return (
    <section className={classes.hero}>
      <h1 className={classes.title}>{LANDING.title}</h1>
      <Text size="lg" c="dimmed" maw={640}>
        {LANDING.text}
      </Text>
      <Group gap="sm" mt="sm">
        <HeroButtons />
      </Group>
      <HostLine />
    </section>
  )
}

/** Reserves the space of the buttons until the session is known. */
function HeroButtons() {
  const { status } = useSession()
  const toStart = status === 'in' ? paths.projects : paths.register
  const waits = { visibility: status === 'loading' ? 'hidden' : 'visible' } as const
  return (
    <>
      <Button component={Link} to={toStart} size="md" style={waits}>
        {status === 'in' ? 'My Projects' : 'Get Started Free'}
      </Button>
      <Button component={Link} to={paths.browse} size="md" variant="default">
        Browse Projects
      </Button>
    </>
  )
}

/** Names the address of this host, because the product is self-hosted. */
function HostLine() {
  const { share_url } = useHost()
  return (
    <p className={classes.host}>
      <span className={classes.dot} aria-hidden />
      <span>
        You are on <code>{share_url.replace(/^https?:\/\//, '')}</code>. Free, open source and self-hosted.
      </span>
    </p>
  )
}

function CallToAction() {
  const { registration_open } = useHost()
  return (
    <section className={classes.call} aria-labelledby="call">
      <Title order={2} id="call" fz="xl">
        {registration_open ? 'Your first page takes two minutes' : 'Have an account on this host?'}
      </Title>
      <Text c="dimmed" size="md">
        {registration_open ? 'Create an account, drop a file, copy the link.' : 'Sign in to publish and manage files.'}
      </Text>
      <Button component={Link} to={registration_open ? paths.register : paths.login} size="md" mt="xs">
        {registration_open ? 'Create an account' : 'Login'}
      </Button>
    </section>
  )
}
