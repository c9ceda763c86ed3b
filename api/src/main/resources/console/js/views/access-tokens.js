import { token } from '../api.js';
import { confirmDialog, copyField, element, replace, toast } from '../dom.js';
import { PagedTable } from '../paged-table.js';
import { accessTokens } from '../tokens-api.js';
import { createToken } from './create-token.js';

/** Access tokens: their scopes and last uses, a new one, and revocation. */
export async function accessTokenPage(main) {
  const fresh = element('section', { class: 'card fresh', 'aria-label': 'New access token', tabindex: '-1', hidden: true });
  const table = new PagedTable({
    columns: ['Token', 'Scopes', 'Created', 'Expires', 'Last used', ''],
    load: (page) => accessTokens.list(page),
    row: (each) => row(each, revoke),
    label: 'Access tokens',
    empty: element('p', { class: 'card hint', hidden: true }, 'No access tokens yet. Only the token admin, whose secret is in the data folder, opens this server.'),
  });

  function create() {
    createToken(async (made) => {
      drawFresh(fresh, made);
      await table.again({ first: true }).catch((problem) => toast(problem.message, true));
    });
  }

  async function revoke(each) {
    const lines = [`“${each.name}” is refused from the next request on. It cannot be restored.`];
    lines.push(each.last_used_at === null ? 'It was never used.' : `It was last used ${minute(each.last_used_at)}.`);
    if (isMine(each)) {
      lines.push('You are signed in with it: the console signs you out.');
    }
    if (!await confirmDialog('Revoke this access token?', lines.join(' '), 'Revoke')) {
      return;
    }
    try {
      await accessTokens.revoke(each.id);
      toast('Access token revoked');
      await table.refresh();
    } catch (problem) {
      if (problem.status === 401) {
        token.clear();
        location.reload();
        return;
      }
      toast(problem.message, true);
    }
  }

  await table.refresh();
  replace(main,
    element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Access tokens'),
      element('button', { type: 'button', id: 'create-token', onclick: create }, 'Create a token')),
    element('div', { class: 'stack' }, fresh, table.parts));
  return { title: 'Access tokens', refresh: () => table.refresh() };
}

function row(each, revoke) {
  const expired = each.expires_at !== null && each.expires_at * 1000 <= Date.now();
  return element('tr', {},
    element('td', {}, element('div', { class: 'name' }, each.name, isMine(each) && element('span', { class: 'badge mine' }, 'This session')),
      element('div', { class: 'sub mono' }, each.id)),
    element('td', {}, element('span', { class: 'scope-list' }, each.scopes.map((scope) => element('code', {}, scope)))),
    element('td', { class: 'time' }, minute(each.created_at)),
    element('td', { class: expired ? 'time expired' : 'time' },
      each.expires_at === null ? 'Never' : `${expired ? 'Expired ' : ''}${minute(each.expires_at)}`),
    element('td', { class: 'time' }, each.last_used_at === null ? 'Never' : minute(each.last_used_at)),
    element('td', { class: 'end' },
      element('button', { class: 'danger small', type: 'button', 'aria-label': `Revoke ${each.name}`, onclick: () => revoke(each) }, 'Revoke')));
}

/** Unix seconds as local date and time, without seconds. */
function minute(seconds) {
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Whether the console is signed in with this token. */
function isMine(each) {
  return token.get()?.startsWith(`${each.id}.`) ?? false;
}

function drawFresh(card, made) {
  card.hidden = false;
  replace(card,
    element('h2', {}, 'Copy this now'),
    element('p', { class: 'hint' }, `The token of “${made.name}” is shown only once: the server stores a hash of it. Send it as `, element('code', {}, 'Authorization: Bearer …'), '.'),
    copyField('Access token', made.token, { secret: true }));
  card.focus();
  toast('Access token created: copy it now');
}
