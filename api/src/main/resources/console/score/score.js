import { element, replace } from '/js/dom.js';
import { durableStorage } from './score-queue.js';
import { ScoreLink } from './score-link.js';
import { ScorePanels } from './score-panels.js';

const at = (id) => document.getElementById(id);
const storage = durableStorage();
// The fragment stays in the address, so that a reload and a bookmark keep working. No server gets it.
const fragment = decodeURIComponent(location.hash.slice(1));
const link = new ScoreLink(fragment, storage, draw);
const panels = new ScorePanels(link);
let drawn = false;

addEventListener('hashchange', () => location.reload());
at('undo').addEventListener('click', () => link.undo());
addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !event.target.matches('input')) {
    event.preventDefault();
    link.undo();
  }
});

function draw() {
  const board = link.board();
  const waiting = link.waiting().length;
  say(at('problem'), link.state === 'gone' ? '' : link.problem);
  at('state').className = `state ${link.state}`;
  say(at('state'), stateText(waiting));
  if (link.state === 'gone') {
    replace(at('main'), element('p', { class: 'end' }, link.problem, ' Ask the operator of the live stream for a new one.',
      waiting ? ` ${changes(waiting)} could not be sent.` : ''));
    at('footer').hidden = true;
    return;
  }
  if (board) {
    panels.draw(at('main'), board, link.base.rules);
    if (!drawn) {
      drawn = true;
      at('footer').hidden = false;
    }
    say(at('title'), link.base.link?.name ?? 'Scoreboard');
  }
  const last = link.undoable();
  at('undo').disabled = !last;
  say(at('undo'), last ? `Undo: ${last.label}` : 'Nothing to undo');
}

function stateText(waiting) {
  if (link.state === 'connected') {
    return waiting ? `Sending ${changes(waiting)}` : 'Connected';
  }
  if (link.state === 'offline') {
    return waiting ? `No connection: ${changes(waiting)} waiting${storage ? '' : ' (keep this page open)'}` : 'No connection';
  }
  return link.state === 'gone' ? 'Ended' : 'Connecting …';
}

function changes(count) {
  return count === 1 ? '1 change' : `${count} changes`;
}

/** Only what differs, so that a screen reader does not repeat it. */
function say(box, text) {
  if (box.textContent !== text) {
    box.textContent = text;
  }
}

if (fragment.includes('/')) {
  link.start();
  draw();
} else {
  link.state = 'gone';
  link.problem = 'The address of this page is not complete: what stands behind # is missing.';
  draw();
}
