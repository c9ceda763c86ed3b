import { element, showDialog } from './dom.js';
import { keyGroups, keyName } from './keys.js';

/**
 * Shows the keys of the console, those of the page that is open first.
 *
 * @param offered names of the actions that the page has
 */
export function showKeys(offered) {
  const isHere = ({ rows }) => rows.some(({ name }) => offered.includes(name));
  const groups = keyGroups().map((each) => ({ ...each, here: isHere(each) })).toSorted((a, b) => b.here - a.here);
  const form = element('form', { method: 'dialog' },
    element('h1', { id: 'keys-title' }, 'Keys'),
    element('p', { class: 'hint' }, 'Keys do nothing while you type in a field.'),
    element('div', { class: 'key-groups' }, groups.map(({ group, rows, here }) => element('section', { class: here && 'here' },
      element('h2', {}, group, here && element('small', {}, ' on this page')),
      element('dl', { class: 'key-list' }, rows.flatMap(({ keys, text }) => [
        element('dt', {}, keyCaps(keys)),
        element('dd', {}, text),
      ]))))),
    element('div', { class: 'actions' }, element('button', { class: 'quiet', value: 'no', autofocus: true }, 'Close')));
  showDialog(element('dialog', { class: 'key-sheet', 'aria-labelledby': 'keys-title' }, form), form, () => {});
}

/** A cap for each key; of digits the first and the last. */
function keyCaps(keys) {
  const cap = (key) => element('kbd', {}, keyName(key));
  return keys.length > 1 && keys[0] === '1' ? [cap(keys[0]), ' to ', cap(keys.at(-1))] : keys.map(cap);
}
