import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Component, type ErrorInfo, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** Retries when it changes, such as the route. */
  resetKey?: string
  /** Replaces the failed part of a page; defaults to a message for the whole page. */
  fallback?: ReactNode
  children: ReactNode
}

/** Catches render errors of a page, so that the frame stays usable. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state = { error: null as Error | null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo) {
    console.error('A page failed', error, componentStack)
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps) {
    if (this.state.error && resetKey !== this.props.resetKey) this.setState({ error: null })
  }

  override render() {
    const { fallback = <Failure />, children } = this.props
    return this.state.error ? fallback : children
  }
}

/** Often a page of an older version whose files are gone from the host: a reload fixes that. */
function Failure() {
  return (
    <Stack role="alert" align="center" ta="center" gap="sm" py={96} px="md">
      <Title order={1} size="h2">
        This page did not load
      </Title>
      <Text c="dimmed" maw={440}>
        Check your connection, then reload. Saved data is not lost.
      </Text>
      <Group mt="xs">
        <Button onClick={() => window.location.reload()}>Reload</Button>
        <Button variant="default" component="a" href="/">
          Go to the start page
        </Button>
      </Group>
    </Stack>
  )
}
