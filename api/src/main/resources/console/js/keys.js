/**
 * The keys of the console: one table for all pages, so that no letter means two things. Enter and Esc
 * belong to what the page is about. A page names what it offers: `keys: {pass: () => …}` in what its view
 * returns. Letters count in upper and lower case.
 */

/** A key that may be held down. */
const REPEATS = { repeats: true };

/** A key that acts where a tile of the wall has the focus: elsewhere it scrolls the page. */
const ON_TILE = { repeats: true, on: '.tile-button' };

/** Group, then per action its keys, its text, and what else holds for it. */
const TABLE = {
  Everywhere: {
    sheet: [['?'], 'Show these keys'],
  },
  Wall: {
    listen: [['Enter'], 'Audio of this stream, and of no other'],
    mute: [['Escape'], 'Mute it'],
    fullScreen: [['f'], 'Full screen, and back'],
    page: [['p'], 'Open the page of the stream'],
    walk: [['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'], 'Walk from tile to tile', ON_TILE],
  },
  Review: {
    pass: [['a'], 'Pass the record'],
    reject: [['r'], 'Reject the record'],
    disable: [['d'], 'Reject it and disable its stream: press twice'],
    undo: [['z'], 'Undo the last decision'],
    skip: [['s'], 'Skip the record for now'],
    note: [['n'], 'Write a note'],
  },
  Player: {
    back: [['j'], 'Play backwards; again: faster'],
    pause: [['k'], 'Pause or play'],
    forward: [['l'], 'Play forwards; again: faster'],
    frameBack: [[','], 'A frame back', REPEATS],
    frameOn: [['.'], 'A frame on', REPEATS],
    live: [['g'], 'Go live'],
  },
  Clip: {
    in: [['i'], 'In: the clip starts with this frame'],
    out: [['o'], 'Out: the clip ends with this frame'],
    clip: [['Enter'], 'Make the clip'],
    clear: [['Escape'], 'Clear in and out'],
  },
  Markers: {
    marker: [['m'], 'Set a marker with a label of your own'],
    label: [['1', '2', '3', '4', '5', '6', '7', '8', '9'], 'Set a marker with one of your labels'],
  },
};

/** What elements do with these keys themselves. */
const OWN = { Enter: 'button, a, summary, select, label', Escape: 'dialog' };

const TYPING = 'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=color])';

/** Actions by key: `[{name, repeats, on}]`. */
const ACTIONS = new Map();

for (const [group, actions] of Object.entries(TABLE)) {
  for (const [name, [keys, , { repeats = false, on = '*' } = {}]] of Object.entries(actions)) {
    for (const key of keys) {
      const others = ACTIONS.get(key) ?? [];
      if (key.length === 1 && others.length > 0) {
        throw new Error(`key ${key} of ${group} is defined twice`);
      }
      ACTIONS.set(key, [...others, { name, repeats, on }]);
    }
  }
}

/**
 * The action of a key event; undefined for a key without one, in a field, in a dialog, and with a
 * modifier. A held key acts once, unless it repeats.
 *
 * @param offered names of the actions that the page has
 */
export function actionOf(event, offered) {
  const { key, target } = event;
  const isTaken = target.closest?.(TYPING) || target.closest?.(OWN[key] ?? ':not(*)');
  if (isTaken || event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) {
    return undefined;
  }
  const actions = ACTIONS.get(key.length === 1 ? key.toLowerCase() : key) ?? [];
  return actions.find(({ name, repeats, on }) => offered.includes(name) && (repeats || !event.repeat) && target.matches?.(on))?.name;
}

/** The table for the sheet: `[{group, rows: [{name, keys, text}]}]`. */
export function keyGroups() {
  return Object.entries(TABLE).map(([group, actions]) => ({
    group,
    rows: Object.entries(actions).map(([name, [keys, text]]) => ({ name, keys, text })),
  }));
}

const NAMES = { Escape: 'Esc', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

/** How a key is called. */
export function keyName(key) {
  return NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** The key of an action, for its button. */
export function keyOf(name) {
  return keyName([...ACTIONS].find(([, actions]) => actions.some((action) => action.name === name))[0]);
}
