import { Anchor, List, Stack, Text } from '@mantine/core'
import type { InternetView } from '../../../../server/contract'
import { ValueList } from '../../../ui/text/value-list'
import { portOf } from '../../../../server/texts/host/internet-texts'

/** The four values of a manual port forwarding, and the way to the page of the router. */
export function RouterSteps({ view }: { view: InternetView }) {
  const { router, local, outer_address: outer, state } = view
  const external = String(portOf(view))

  return (
    <Stack gap="md">
      <List type="ordered" size="sm" spacing="xs">
        <List.Item>
          Open the page of your router
          {router && (
            <>
              :{' '}
              <Anchor
                href={`http://${router.address}/`}
                target="_blank"
                rel="noreferrer"
                underline="always"
              >
                http://{router.address}/
              </Anchor>
            </>
          )}
          .
        </List.Item>
        <List.Item>
          Find “Port forwarding”. Some routers call it “Virtual server” or “NAT”.
        </List.Item>
        <List.Item>Add a rule with these values:</List.Item>
      </List>
      <ValueList
        label="Values for the router"
        isToCopy
        values={[
          ['Protocol', 'TCP'],
          ['External port', external],
          ['Internal address', local.address],
          ['Internal port', local.port === null ? null : String(local.port)],
        ]}
      />
      {state === 'two_routers' && outer !== null && (
        <>
          <Text>Then add a rule to the second router, which gives the first one its address:</Text>
          <ValueList
            label="Values for the second router"
            isToCopy
            values={[
              ['Protocol', 'TCP'],
              ['External port', external],
              ['Internal address', outer],
              ['Internal port', external],
            ]}
          />
        </>
      )}
      <Text c="dimmed">
        Slipway notices when the first person arrives from outside. Your phone can test it at once.
      </Text>
    </Stack>
  )
}
