import { call, token, ApiError } from '../api.js';
import { element, replace } from '../dom.js';

const LINK = /^#\/sign-in\/([A-Za-z0-9]+)$/;

/** Asks for an access token, and stores it once the server has accepted it. */
export function signIn(main, done, message = '') {
  const input = element('input', { id: 'token', name: 'token', type: 'password', autocomplete: 'current-password', required: true, spellcheck: 'false', placeholder: 'id.secret', 'aria-describedby': 'token-error' });
  const error = element('span', { id: 'token-error', class: 'field-error', role: 'alert' }, message);
  const button = element('button', { type: 'submit' }, 'Sign in');
  const form = element('form', { class: 'card sign-in' },
    element('h1', {}, 'Sign in'),
    element('p', { class: 'hint' }, 'Use an access token. The first one is admin.SECRET; the secret is in the file admin-secret of the data folder.'),
    element('label', { class: 'field', for: 'token' }, element('span', {}, 'Access token'), input, error),
    button);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    error.textContent = '';
    token.set(input.value.trim());
    try {
      await call('GET', '/live/v1/live-streams?limit=1');
      done();
    } catch (problem) {
      if (problem instanceof ApiError && problem.missingScope) {
        // A valid token: each page names what it needs.
        done();
        return;
      }
      token.clear();
      error.textContent = problem instanceof ApiError ? problem.message : 'The server cannot be reached.';
      input.setAttribute('aria-invalid', 'true');
      button.disabled = false;
      input.focus();
    }
  });
  replace(main, form);
  input.focus();
  return { title: 'Sign in' };
}

/**
 * Exchanges the one-time code of a sign-in link (`#/sign-in/CODE`) for a token. Resolves to the
 * message to show: empty where there is no code, or where it was accepted.
 */
export async function signInByLink() {
  const code = LINK.exec(location.hash)?.[1];
  if (code === undefined) {
    return '';
  }
  // The code leaves the address bar and the history before it is used.
  history.replaceState(null, '', '#/streams');
  try {
    token.set((await call('POST', '/system/v1/sign-in', { code })).data.token);
    return '';
  } catch (problem) {
    if (token.get() !== null) {
      return '';
    }
    if (!(problem instanceof ApiError)) {
      return 'The server cannot be reached.';
    }
    return problem.status === 429 ? problem.message : 'This sign-in link was used before, or it has expired.';
  }
}
