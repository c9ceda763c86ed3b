import { call, token, ApiError } from '../api.js';
import { element, replace } from '../dom.js';

/** Asks for an access token and tries it before it is kept. */
export function signIn(main, done) {
  const input = element('input', { id: 'token', name: 'token', type: 'password', autocomplete: 'current-password', required: true, spellcheck: 'false', placeholder: 'id.secret', 'aria-describedby': 'token-error' });
  const error = element('span', { id: 'token-error', class: 'field-error', role: 'alert' });
  const button = element('button', { type: 'submit' }, 'Sign in');
  const form = element('form', { class: 'card sign-in' },
    element('h1', {}, 'Sign in'),
    element('p', { class: 'hint' }, 'With an access token. The first one is admin.SECRET; the secret lies in the file admin-secret of the data folder.'),
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
