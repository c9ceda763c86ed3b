import { element } from './dom.js';

/**
 * A table that narrow screens show as a list of cards: each cell carries the name of its column.
 * The roles keep it a table there.
 */

/** @param columns titles; an empty one is the column of buttons */
export function table(columns, body, attributes = {}) {
  body.setAttribute('role', 'rowgroup');
  return element('table', { class: 'table', role: 'table', ...attributes },
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, columns.map((title) =>
      element('th', { scope: 'col', role: 'columnheader' }, title || element('span', { class: 'unseen' }, 'Actions'))))),
    body);
}

/** Names the cells of a row. */
export function named(columns, row) {
  row.setAttribute('role', 'row');
  [...row.cells].forEach((cell, index) => {
    cell.setAttribute('role', 'cell');
    cell.dataset.label = columns[index] ?? '';
  });
  return row;
}
