import { AlertList } from '../alert-list.js';
import { element, replace } from '../dom.js';

/** The alerts of all streams, alone on a page. */
export async function alertsPage(main) {
  const list = new AlertList();
  replace(main, element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Alerts')), list.root);
  return { title: 'Alerts', close: () => list.close() };
}
