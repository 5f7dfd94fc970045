import { VISITOR } from '../../access/actor'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { matchRoute, DEFAULT_DESCRIPTION, DEFAULT_TITLE, routes } from '../../contract/routes'
import { once, type Html } from '../../http/pages/html'
import type { Visit } from '../../http/pages/static-ui'
import { relyingParties } from '../factors/relying-party'
import { presentProjects } from '../projects/presenter'
import { renderFramed } from './frame'
import type { LightPage } from './lists'

const LATEST = 6

const loadLanding = once(() => import('../../../renderer/visitor/landing/landing-page'))
const loadLists = once(() => import('./lists'))
const loadAccountPages = once(() => import('../../../renderer/visitor/account/account-page'))
const loadAccountTexts = once(() => import('../../texts/account-texts'))

/**
 * Renders the landing page, a public list, or an account form. Returns undefined at other
 * addresses.
 */
export async function lightPage(
  context: Rooms<
    'accounts' | 'data' | 'files' | 'host' | 'network' | 'notices' | 'projects' | 'singleSignOn'
  >,
  { path, query }: Pick<Context, 'path' | 'query'>,
  visit: Visit,
): Promise<LightPage | undefined> {
  if (path === routes.landing)
    return {
      title: DEFAULT_TITLE,
      description: DEFAULT_DESCRIPTION,
      content: await landingContent(context, visit),
    }

  if (matchRoute(routes.browse, path)) return (await loadLists()).projectsPage(context, query)
  if (matchRoute(routes.publicFiles, path)) return (await loadLists()).filesPage(context, query)
  if (matchRoute(routes.login, path)) return accountPage(context, 'login')

  // The app checks the link with the host.
  const hasLink = query['setup'] !== undefined || query['invite'] !== undefined
  return matchRoute(routes.register, path) && !hasLink
    ? accountPage(context, 'register')
    : undefined
}

async function accountPage(
  {
    data,
    host,
    network,
    notices,
    singleSignOn,
  }: Rooms<'data' | 'host' | 'network' | 'notices' | 'singleSignOn'>,
  name: 'login' | 'register',
): Promise<LightPage> {
  const [{ LoginPage, RegisterPage }, { loginForm, registerForm }] = await Promise.all([
    loadAccountPages(),
    loadAccountTexts(),
  ])

  const [Page, { title, text }] =
    name === 'login' ? [LoginPage, loginForm] : [RegisterPage, registerForm]

  const registrationOpen = data.settings.get().registration_open
  return {
    title,
    description: text,
    content: await renderFramed(host, Page, {
      registrationOpen,
      sendsMail: notices.mailer.isOn(),
      provider: singleSignOn.signOn.view(),
      passkeyOrigins: relyingParties(network).map(({ origin }) => origin),
    }),
  }
}

async function landingContent(
  context: Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects'>,
  { host }: Visit,
): Promise<Html> {
  const { LandingPage } = await loadLanding()
  const latest = context.projects.store.allPublic().slice(0, LATEST)
  return renderFramed(context.host, LandingPage, {
    url: host.url,
    registrationOpen: context.data.settings.get().registration_open,
    session: 'out',
    largestFile: context.data.settings.get().largest_file,
    now: context.host.sources.now(),
    projects: presentProjects(context, latest, VISITOR),
  })
}
