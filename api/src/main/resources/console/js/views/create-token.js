import { ApiError } from '../api.js';
import { element, showDialog } from '../dom.js';
import { accessTokens, SCOPES } from '../tokens-api.js';

const DAY_S = 86_400;
const LIFETIMES = [
  ['', 'Never'],
  [String(DAY_S), 'In 24 hours'],
  [String(30 * DAY_S), 'In 30 days'],
  [String(90 * DAY_S), 'In 90 days'],
  [String(365 * DAY_S), 'In a year'],
  ['at', 'At a time of your choice'],
];

/** The dialog that makes an access token; calls back with the reply's data, secret included. */
export function createToken(done) {
  const name = element('input', { name: 'name', required: true, maxlength: '200', autocomplete: 'off', placeholder: 'scoreboard operator', 'aria-describedby': 'token-name-error' });
  const nameError = element('span', { id: 'token-name-error', class: 'field-error', role: 'alert' });
  const boxes = SCOPES.map(([scope]) => element('input', { type: 'checkbox', name: 'scopes', value: scope, 'aria-describedby': `about-${scope.replace(':', '-')}` }));
  const scopesError = element('p', { class: 'field-error', role: 'alert' });
  const expires = element('select', { name: 'expires' }, LIFETIMES.map(([value, text]) => element('option', { value }, text)));
  const at = element('input', { name: 'expires_at', type: 'datetime-local', 'aria-label': 'Time of expiry' });
  const atError = element('span', { class: 'field-error', role: 'alert' });
  const general = element('p', { class: 'field-error', role: 'alert' });
  at.hidden = true;
  expires.addEventListener('change', () => {
    at.hidden = expires.value !== 'at';
    at.required = expires.value === 'at';
  });

  const form = element('form', { id: 'new-token' },
    element('h1', {}, 'Create an access token'),
    element('label', { class: 'field' }, element('span', {}, 'Name'), name, element('small', {}, 'For example the program that uses it.'), nameError),
    element('fieldset', { class: 'scopes' }, element('legend', {}, 'Scopes'),
      SCOPES.map(([scope, text], index) => element('label', { class: 'scope' },
        boxes[index], element('code', {}, scope), element('small', { id: `about-${scope.replace(':', '-')}` }, text))),
      scopesError),
    element('label', { class: 'field' }, element('span', {}, 'Expires'), expires), at, atError,
    general,
    element('div', { class: 'actions' },
      element('button', { class: 'quiet', type: 'button', value: 'no' }, 'Cancel'),
      element('button', { type: 'submit' }, 'Create')));

  function show(problem) {
    const places = { name: nameError, scopes: scopesError, expires_at: atError };
    const fields = problem.fields ?? [];
    for (const { field, reason } of fields) {
      (places[field.replace(/\[.*/, '')] ?? general).textContent = reason;
    }
    if (fields.length === 0) {
      general.textContent = problem instanceof ApiError ? problem.message : 'The server cannot be reached.';
    }
  }

  async function create() {
    for (const place of [nameError, scopesError, atError, general]) {
      place.textContent = '';
    }
    const scopes = boxes.filter((box) => box.checked).map((box) => box.value);
    if (scopes.length === 0) {
      scopesError.textContent = 'Choose at least one scope.';
      boxes[0].focus();
      return undefined;
    }
    try {
      return await accessTokens.create({ name: name.value.trim(), scopes, expires_at: expiry(expires.value, at.value) });
    } catch (problem) {
      show(problem);
      return undefined;
    }
  }

  showDialog(element('dialog', { 'aria-label': 'Create an access token' }, form), form, (made) => made && done(made), create);
}

/** Unix seconds; undefined for a token that never expires. */
function expiry(choice, at) {
  if (choice === '') {
    return undefined;
  }
  return Math.floor((choice === 'at' ? new Date(at).getTime() : Date.now() + Number(choice) * 1000) / 1000);
}
