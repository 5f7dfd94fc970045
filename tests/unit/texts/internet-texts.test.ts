import { expect, test } from 'vitest'
import { internetSchema, type InternetView } from '../../../server/contract/host/internet'
import { internetTexts } from '../../../server/texts/host/internet-texts'
import { aTunnel, aView } from '../renderer/internet/internet-view'

const { state: states } = internetSchema.shape
const problems = internetSchema.shape.tunnel.unwrap().shape.problem.unwrap()

const url = 'https://203.0.113.7'
const router = (own: Partial<NonNullable<InternetView['router']>>) => ({
  router: { ...aView().router!, ...own },
})
const opened = (state: InternetView['state'], own: Partial<InternetView> = {}) =>
  aView({ way: 'router', state, ...own })

/** The states, each as it usually is, and what changes their sentences. */
const views: InternetView[] = [
  ...states.options.map((state) =>
    state.startsWith('tunnel') ? aTunnel(null, { state }) : opened(state),
  ),
  ...problems.options.map((problem) => aTunnel(problem, { problem: 'Not now' })),
  ...(['in_cluster', 'no_host_account', 'no_rate_limits'] as const).map((blocker) =>
    aView({ blockers: [blocker] }),
  ),
  aView({ other_tunnels: [{ program: 'ngrok', url }] }),
  aView({ state: 'checking' }),
  aView({ state: 'two_routers' }),
  aView({ state: 'shared_address', outer_address: '100.71.3.9', observed_address: '198.51.100.4' }),
  opened('unproven', router({ is_silent: true })),
  opened('unproven', { has_vpn: true }),
  opened('router_refuses', { url, problem: 'Action not authorized (606)' }),
  opened('port_taken', router({ holder: '192.168.1.30' })),
  opened('port_taken', router({ holder: '192.168.1.7', holder_is_former: true })),
  opened(
    'port_taken',
    router({ holder: '192.168.1.7', holder_is_former: true, holder_until: 'noon' }),
  ),
  opened('two_routers', { outer_address: '192.168.0.14' }),
  opened('certificate_failed', {
    proof: { at: '2026-11-20T12:00:00.000Z', by: 'visitor' },
    certificate: { until: null, problem: 'Too many certificates' },
  }),
  aTunnel(null, { state: 'tunnel_open', url: 'http://vps.example:8443' }),
  aTunnel('unreachable', { state: 'tunnel_waiting', problem: 'Connection refused' }),
]

test('each state of the internet says whether people outside can reach this host, why, and what to do', () => {
  const printed = views.map((view) => {
    const { line, reason, remedies } = internetTexts(view, {
      timeOf: (iso) => iso,
      offLine: 'Not open.',
    })
    return `${view.way} ${view.state}: ${line} | ${reason} | ${remedies.join(', ')}`
  })
  expect(printed.join('\n')).toMatchInlineSnapshot(`
    "router off: Not open. | Links do not work outside your network. | start, tunnel
    router checking: Checking how people can reach this host… | Slipway asks your router what it allows. | 
    router opening: Opening this host to the internet… | This takes a few seconds. | 
    router open: Anyone can reach this host. |  | phone
    router unproven: The port is open, but not tested from outside yet. | Most routers do not let local devices use their public address, so this computer cannot test it. | phone
    router ipv6_only: Only people with IPv6 can reach this host. | Your provider gives you no public IPv4 address. A tunnel reaches everyone. | tunnel
    router no_router_help: Your router does not open ports automatically. | It answers neither PCP, NAT-PMP nor UPnP. Turn one of them on in the router, or open the port by hand. | router, tunnel
    router router_refuses: Your router refused to open the port. | It gave no reason. | router, tunnel
    router port_taken: Another device uses port 443. | Your router sends this port to another device. Slipway never takes a port from another device. | other_port, tunnel
    router shared_address: Another router or your provider stands between yours and the internet. | If you have two routers, switch the first one to bridge mode. Otherwise ask your provider for a public IPv4 address, or use a tunnel. | tunnel
    router two_routers: There is a second router between yours and the internet. | The outer address of your router is private. Open the port on the second router too, or switch one of them to bridge mode. | router, tunnel
    router blocked: The port is open, but connections from outside do not arrive. | A firewall on this computer or your provider blocks port 443. Allow Slipway in the firewall, or try another port. | other_port, tunnel
    router offline: This computer has no network. | Slipway tries again when it has one. | 
    router certificate_failed: The port is open, but people cannot sign in. | There is no certificate, so the connection is not encrypted. Only public pages and downloads work. | retry
    tunnel tunnel_open: Anyone can reach this host through your server. | vps.example forwards port 443 to this computer. | 
    tunnel tunnel_waiting: Your server does not answer. | Slipway keeps trying. | retry, change_server
    tunnel tunnel_failed: The tunnel does not work. |  | retry, change_server
    tunnel tunnel_failed: Your server does not accept the key of this computer. | Add the line with the key to authorized_keys on vps.example. | key
    tunnel tunnel_failed: Confirm that this is your server. | Compare the fingerprint of vps.example once. Nothing was sent. | fingerprint
    tunnel tunnel_failed: The key of your server changed. Slipway stopped. | Someone may intercept the connection, or vps.example was reinstalled. Nothing was sent. | fingerprint
    tunnel tunnel_failed: Your server does not allow forwarding. | vps.example answered: “Not now”. Set AllowTcpForwarding yes in its sshd_config. | server_settings
    tunnel tunnel_failed: Connections from outside do not arrive through your server. | Set GatewayPorts clientspecified in its sshd_config, then restart its SSH server. If it is set, a firewall blocks the port: allow it on vps.example. | server_settings
    tunnel tunnel_failed: The tunnel does not work. | vps.example answered: “Not now”. | retry, change_server
    off off: People outside reach this host through the balancer. | This host is one of several. The balancer in front of them sends visitors to each. | 
    off off: Not open. | Create the host account first. Otherwise the first visitor could become the host. | 
    off off: Not open. | This host runs without rate limits. Restart it without --no-rate-limits first. | 
    off off: Not open. |  | start, tunnel
    off checking: Not open. | Slipway asks your router what it allows. | start, tunnel
    off two_routers: Not open. | There is a second router between yours and the internet. The outer address of your router is private. Open the port on the second router too, or switch one of them to bridge mode. | by_hand, tunnel
    off shared_address: Not open. | Your provider shares one internet address among customers. Your router has 100.71.3.9, but the internet sees 198.51.100.4. No router setting helps: ask your provider for a public IPv4 address, or use a tunnel. | tunnel
    router unproven: Your router no longer answers. It may not forward connections to this host. | Slipway keeps asking it. If a phone off Wi-Fi does not reach this host either, restart the router. | phone
    router unproven: The port is open, but not tested from outside yet. | Most routers do not let local devices use their public address, so this computer cannot test it. It also uses a VPN, so it cannot tell whether your provider shares one address among customers. | phone
    router router_refuses: Your router refused to open the port. | It answered: “Action not authorized (606)”. | router, phone, tunnel
    router port_taken: Another device uses port 443. | Your router sends this port to 192.168.1.30. Slipway never takes a port from another device. | other_port, tunnel
    router port_taken: Your router keeps port 443 for a former address. | 192.168.1.7 was the address of this computer. Your router frees the port soon, then Slipway opens it again by itself. | other_port, tunnel
    router port_taken: Your router keeps port 443 for a former address. | 192.168.1.7 was the address of this computer. Your router keeps the port until noon, then Slipway opens it again by itself. | other_port, tunnel
    router two_routers: There is a second router between yours and the internet. | The outer address of your router, 192.168.0.14, is private. Open the port on the second router too, or switch one of them to bridge mode. | router, tunnel
    router certificate_failed: People can reach this host, but they cannot sign in. | There is no certificate, so the connection is not encrypted. Only public pages and downloads work. The certificate authority answered: “Too many certificates”. | retry
    tunnel tunnel_open: Anyone can reach this host through your server. | Without a certificate, only public pages and downloads work. Use port 443 on your server to let people sign in. | 
    tunnel tunnel_waiting: Your server does not answer. | Slipway keeps trying. vps.example answered: “Connection refused”. | retry, change_server"
  `)
})
