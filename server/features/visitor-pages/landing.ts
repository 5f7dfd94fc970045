import { LANDING, type Project } from '../../contract'
import { formatCount } from '../../texts/format'
import { markup, type Html } from '../../http/pages/html'
import { monogram, time } from './frame'
import { fillRoute, routes } from '../../contract/routes'

interface Landing {
  hostUrl: string
  registrationOpen: boolean
  now: Date
  latest: readonly Project[]
}

/** As renderer/features/landing shows the page to visitors. */
export function landingContent({ hostUrl, registrationOpen, now, latest }: Landing): Html {
  const cards = latest.map((project) => card(project, now))
  return markup`<div class="landing">
    <section class="hero">
      <h1>${LANDING.title}</h1>
      <p class="lead">${LANDING.text}</p>
      <p class="actions">
        <a class="button medium" href="${routes.register}">Get Started Free</a>
        <a class="button medium quiet" href="${routes.browse}">Browse Projects</a>
      </p>
      <p class="host">
        <span class="dot" aria-hidden="true"></span
        ><span>You are on <code>${hostUrl.replace(/^https?:\/\//, '')}</code>. Free, open source and self-hosted.</span>
      </p>
    </section>
    <section aria-labelledby="latest">
      <div class="row">
        <h2 id="latest">Latest Projects</h2>
        <a href="${routes.browse}">All projects</a>
      </div>
      ${cards.length > 0 ? markup`<div class="cards">${cards}</div>` : NOTHING}
    </section>
    <section aria-labelledby="features">
      <h2 id="features">From a file to a download</h2>
      <div class="features">${FEATURES}</div>
    </section>
    ${call(registrationOpen)}
  </div>`
}

function card({ title, slug, summary, owner, stats, platforms, updated_at }: Project, now: Date): Html {
  const downloads = `${formatCount(stats.total_downloads)} ${stats.total_downloads === 1 ? 'download' : 'downloads'}`
  return markup`<article class="card project">
    <div class="head">
      ${monogram(title, 40)}
      <div class="names">
        <h3 class="cut">
          <a href="${fillRoute(routes.publicProject, { slug })}" title="${title}"><bdi>${title}</bdi></a>
        </h3>
        <p class="fine cut">by ${owner}</p>
      </div>
    </div>
    <p class="text">${summary}</p>
    <p class="fine row">
      <span>${platforms.join(', ')}</span><span>${downloads} · ${time(updated_at, now, true)}</span>
    </p>
  </article>`
}

const NOTHING = markup`<div class="nothing">
  <h3>Nothing is published here yet</h3>
  <p>The first public project on this host will stand here.</p>
</div>`

const feature = (title: string, text: string, picture: Html) =>
  markup`<article class="feature">
    <div class="picture" aria-hidden="true">${picture}</div>
    <h3>${title}</h3>
    <p>${text}</p>
  </article>`

const FEATURES = [
  feature(
    'Drop a build',
    'APK, IPA, EXE, DMG, ZIP and anything else, up to 2 GB each. Public or private, changed with one switch.',
    markup`<div class="sheet"><b>lantern-1.4.0.apk</b><progress value="64" max="100"></progress>27.40 of 42.80 MB</div>`,
  ),
  feature(
    'Give it a page',
    'Visitors get the right file for their device, its checksum and your updates. You see downloads and views.',
    markup`<div class="sheet"><b>Lantern 1.4.0</b><span class="button small">Download for Android</span></div>`,
  ),
  feature(
    'Let CI do the rest',
    'One API key and one line in your pipeline publish every build, over your own network.',
    markup`<pre class="sheet">
$ curl -F file=@lantern.apk \\
    -F project_id=lantern \\
    -H "X-API-Key: $SLIPWAY_KEY" \\
    $HOST/api/files/upload</pre>`,
  ),
]

const call = (isOpen: boolean) =>
  markup`<section class="call" aria-labelledby="call">
    <h2 id="call">${isOpen ? 'Your first page takes two minutes' : 'Have an account on this host?'}</h2>
    <p>${isOpen ? 'Create an account, drop a file, copy the link.' : 'Sign in to publish and manage files.'}</p>
    <a class="button medium" href="${isOpen ? routes.register : routes.login}">${isOpen ? 'Create an account' : 'Login'}</a>
  </section>`
