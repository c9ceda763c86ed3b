import { alerts } from './alerts.js';
import { token, ApiError } from './api.js';
import { showInCluster } from './cluster.js';
import { element, replace } from './dom.js';
import { eventHub } from './event-hub.js';
import { showKeys } from './key-sheet.js';
import { actionOf } from './keys.js';
import { openMenus } from './menus.js';
import { signer } from './playable.js';
import { accessTokenPage } from './views/access-tokens.js';
import { alertsPage } from './views/alerts.js';
import { assetList } from './views/asset-list.js';
import { assetPage } from './views/asset-page.js';
import { certificatePage } from './views/certificate.js';
import { moderationList, moderationPage } from './views/moderation-page.js';
import { nodesPage } from './views/nodes.js';
import { hostPage } from './views/host.js';
import { eventsPage } from './views/events.js';
import { signIn, signInByLink } from './views/sign-in.js';
import { reviewPage } from './views/review.js';
import { scoreboardPage } from './views/scoreboard-page.js';
import { signingKeyPage } from './views/signing-keys.js';
import { sessionList } from './views/session-list.js';
import { streamList } from './views/stream-list.js';
import { streamPage } from './views/stream-page.js';
import { transcodingPage } from './views/transcoding.js';
import { wallPage } from './views/wall.js';
import { webhookPage } from './views/webhook.js';

/**
 * Routes are hashes. A view is a function (main, parameters) that draws itself and returns
 * {title, refresh?, close?, keys?}: refresh is called every two seconds while the page is visible; keys
 * has functions (key) by the actions of keys.js.
 */
const ROUTES = [
  [/^#\/control-room$/, wallPage],
  [/^#\/alerts$/, alertsPage],
  [/^#\/streams$/, streamList],
  [/^#\/streams\/([^/]+)$/, streamPage],
  [/^#\/sessions$/, sessionList],
  [/^#\/assets$/, assetList],
  [/^#\/assets\/([^/]+)$/, assetPage],
  [/^#\/review$/, reviewPage],
  [/^#\/moderation$/, moderationList],
  [/^#\/moderation\/([^/]+)$/, moderationPage],
  [/^#\/moderation\/([^/]+)\/([^/]+)$/, moderationPage],
  [/^#\/streams\/([^/]+)\/scoreboard$/, scoreboardPage],
  [/^#\/keys$/, signingKeyPage],
  [/^#\/keys\/([^/]+)$/, signingKeyPage],
  [/^#\/tokens$/, accessTokenPage],
  [/^#\/transcoding$/, transcodingPage],
  [/^#\/events$/, eventsPage],
  [/^#\/certificate$/, certificatePage],
  [/^#\/webhooks\/([^/]+)$/, webhookPage],
  [/^#\/host$/, hostPage],
  [/^#\/nodes$/, nodesPage],
];
const REFRESH_MS = 2000;

/** Scopes that open every page. */
const SCOPES = 'live:read,live:write,score:write,audit:read,audit:write,assets:read,assets:write,vod:read,vod:write,system';

let main = document.getElementById('main');
let view = null;
let drawing = 0;
let refreshing = false;

async function draw() {
  const mine = ++drawing;
  view?.close?.();
  view = null;
  const message = await signInByLink();
  if (mine !== drawing) {
    return;
  }
  const signedIn = token.get() !== null;
  for (const part of ['nav', 'alerts-link', 'keys', 'sign-out']) {
    document.getElementById(part).hidden = !signedIn;
  }
  connection('');
  showInCluster(document.getElementById('nodes-link'));
  if (!signedIn) {
    eventHub.close();
    alerts.clear();
    view = signIn(main, draw, message);
    alerts.title('Sign in – Touchline');
    return;
  }
  eventHub.open();
  const [match, open] = find(location.hash);
  if (!match) {
    location.replace('#/streams');
    return;
  }
  for (const link of document.querySelectorAll('#nav a, #alerts-link')) {
    link.toggleAttribute('aria-current', false);
    if (location.hash.startsWith(link.getAttribute('href'))) {
      link.setAttribute('aria-current', 'page');
    }
  }
  try {
    // Drawn in a detached node and shown when complete: the route may change meanwhile.
    const page = main.cloneNode(false);
    const opened = await open(page, match.slice(1).map(decodeURIComponent));
    if (mine !== drawing) {
      opened.close?.();
      return;
    }
    main.replaceWith(page);
    main = page;
    view = opened;
    alerts.title(`${opened.title} – Touchline`);
    main.focus({ preventScroll: true });
  } catch (problem) {
    if (mine === drawing) {
      failed(problem);
    }
  }
}

function find(hash) {
  for (const [pattern, open] of ROUTES) {
    const match = pattern.exec(hash);
    if (match) {
      return [match, open];
    }
  }
  return [null, null];
}

function failed(problem) {
  if (problem instanceof ApiError && problem.status === 401) {
    token.clear();
    draw();
    return;
  }
  view?.close?.();
  view = null;
  const scope = problem instanceof ApiError ? problem.missingScope : null;
  replace(main,
    scope ? missingScope(scope) : element('p', { class: 'notice', role: 'alert' },
      problem instanceof ApiError ? problem.message : 'The server cannot be reached.'),
    element('button', { class: 'quiet', type: 'button', onclick: draw }, 'Try again'));
}

function missingScope(scope) {
  return element('div', { class: 'notice', role: 'alert' },
    element('p', {}, 'This page needs the scope ', element('b', {}, scope), ', which your token does not have.'),
    element('p', {}, 'Sign in with a token that has it, such as one from ',
      element('code', {}, `./touchline token create --name me --scopes ${SCOPES}`), '.'));
}

/** What the keys of this page do, by their actions. */
function actions() {
  return { ...view?.keys, sheet };
}

function sheet() {
  showKeys(Object.keys(view?.keys ?? {}));
}

function connection(text) {
  const line = document.getElementById('connection');
  line.textContent = text;
  line.hidden = text === '';
}

async function refresh() {
  if (refreshing || document.hidden || !view?.refresh) {
    return;
  }
  refreshing = true;
  const mine = drawing;
  try {
    await view.refresh();
    connection('');
  } catch (problem) {
    if (mine !== drawing) {
      return;
    }
    if (problem instanceof ApiError) {
      failed(problem);
    } else {
      connection('No answer from the server – trying again');
    }
  } finally {
    refreshing = false;
  }
}

/** The number of open alerts, on every page. */
function countAlerts(added) {
  const open = alerts.open.length;
  const count = document.getElementById('alert-count');
  count.textContent = open > 0 ? String(open) : '';
  count.hidden = open === 0;
  document.getElementById('alerts-link').setAttribute('aria-label', open > 0 ? `Alerts: ${open} open` : 'Alerts');
  if (added && !alerts.isMuted(added)) {
    document.getElementById('alert-said').textContent = `Alert: ${[added.title, added.streamTitle].filter(Boolean).join(', ')}`;
  }
}

alerts.listen(countAlerts);
openMenus(document.getElementById('nav'));
document.getElementById('sign-out').addEventListener('click', () => {
  token.clear();
  signer.forget();
  draw();
});
document.getElementById('keys').addEventListener('click', sheet);
document.addEventListener('keydown', (event) => {
  const offered = actions();
  const action = offered[actionOf(event, Object.keys(offered))];
  if (action) {
    event.preventDefault();
    action(event.key);
  }
});
window.addEventListener('hashchange', draw);
setInterval(refresh, REFRESH_MS);
draw();
