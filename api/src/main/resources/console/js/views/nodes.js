import { call } from '../api.js';
import { badge, confirmDialog, dateTime, element, replace, toast } from '../dom.js';
import { named, table } from '../table.js';

const COLUMNS = ['Node', 'State', 'Roles', 'Streams', 'Load', 'Lease left', 'Heartbeat late', 'Clock', 'Since', ''];

/** A heartbeat that begins this late points to an overloaded host, as the alert of docs/cluster.md. */
const LATE_MS = 1000;

/** A clock that differs this much from that of the database is wrong. */
const WRONG_MS = 500;

/** The servers of a cluster: state, streams, load, lease; and letting one give up its streams. */
export async function nodesPage(main) {
  const shown = element('div', { class: 'stack' });

  async function refresh() {
    const nodes = (await call('GET', '/system/v1/nodes')).data;
    replace(shown, nodes.length === 0
      ? element('p', { class: 'card hint' }, 'This server works alone. Several servers can share one PostgreSQL: see docs/cluster.md.')
      : table(COLUMNS, element('tbody', {}, nodes.map((node) => named(COLUMNS, row(node, drain)))), { 'aria-label': 'Nodes' }));
  }

  async function drain(node) {
    if (!await confirmDialog(`Drain ${node.id}?`, 'It takes no further streams. Its encoders are disconnected, and their sessions go on at the node where they connect next. Its next start ends this state.', 'Drain')) {
      return;
    }
    try {
      await call('PUT', `/system/v1/nodes/${encodeURIComponent(node.id)}/drain`);
      toast(`${node.id} drains`);
      await refresh();
    } catch (problem) {
      toast(problem.message, true);
    }
  }

  await refresh();
  replace(main, element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Nodes')), shown);
  return { title: 'Nodes', refresh };
}

function row(node, drain) {
  return element('tr', {},
    element('td', { class: 'name' }, node.id),
    element('td', {}, badge(node.state)),
    element('td', {}, node.roles.join(', ')),
    element('td', {}, String(node.streams)),
    element('td', {}, `${Math.round(node.load * 100)}\u00a0%`),
    leaseCell(node),
    lateCell(node),
    clockCell(node),
    element('td', { class: 'time', title: `Version ${node.version}` }, dateTime(node.since)),
    element('td', { class: 'end' }, node.state === 'up'
      && element('button', { class: 'quiet small', type: 'button', 'aria-label': `Drain ${node.id}`, onclick: () => drain(node) }, 'Drain')));
}

function leaseCell({ state, lease_left_ms: left }) {
  if (state === 'gone') {
    return element('td', {}, '–');
  }
  return left > 0 ? element('td', {}, `${(left / 1000).toFixed(1)} s`) : element('td', { class: 'expired' }, 'over');
}

function lateCell({ state, heartbeat_late_ms: late }) {
  if (late === null) {
    return element('td', { class: state === 'gone' ? null : 'expired' }, state === 'gone' ? '–' : 'no answer');
  }
  return element('td', { class: late >= LATE_MS ? 'expired' : null }, `${late} ms`);
}

/** How far the clock of the host is ahead of the database; a slow answer does not make it wrong. */
function clockCell({ clock_ahead_ms: ahead, clock_error_ms: error }) {
  if (ahead === null) {
    return element('td', {}, '–');
  }
  const text = Math.abs(ahead) < LATE_MS ? `${ahead}\u00a0ms` : `${(ahead / 1000).toFixed(1)}\u00a0s`;
  return element('td', { class: Math.abs(ahead) - error >= WRONG_MS ? 'expired' : null }, ahead > 0 ? `+${text}` : text);
}
