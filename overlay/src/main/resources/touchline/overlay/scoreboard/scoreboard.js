/** Shows what the feed says: a WebSocket of this page's own host, which knows whose page it is. */

const WIDTH = 640;
const HEIGHT = 150;
const BANNER_MS = 8000;
const RETRY_MS = 1000;

const at = (id) => document.getElementById(id);
const board = at('board');
let shown = null;
let clockTimer = 0;

/** The board as a whole, as large as the window allows; ?align=right puts it at the right edge. */
function fit() {
  const scale = Math.min(innerWidth / WIDTH, innerHeight / HEIGHT);
  const free = innerWidth - WIDTH * scale;
  const align = new URLSearchParams(location.search).get('align');
  const left = align === 'right' ? free : align === 'center' ? free / 2 : 0;
  board.style.transform = `translateX(${left}px) scale(${scale})`;
}

function listen() {
  const feed = new WebSocket(`ws://${location.host}/feed`);
  feed.addEventListener('message', (event) => show(JSON.parse(event.data)));
  feed.addEventListener('close', () => setTimeout(listen, RETRY_MS));
}

function show(state) {
  const before = shown;
  shown = state;
  board.hidden = !state.visible;
  team(at('home'), state.home);
  team(at('away'), state.away);
  document.documentElement.style.setProperty('--home', state.home.color);
  document.documentElement.style.setProperty('--away', state.away.color);
  score(at('home-score'), state.home.score, before);
  score(at('away-score'), state.away.score, before);
  at('period').textContent = state.period;
  tick();
  const goal = state.goal;
  if (goal && goal.at_ms !== before?.goal?.at_ms && Date.now() - goal.at_ms < BANNER_MS) {
    celebrate(state, goal);
  }
}

/** The whole name if there is room, else the short one. */
function team(box, side) {
  const name = box.querySelector('.name');
  name.textContent = side.name;
  if (name.scrollWidth > name.clientWidth) {
    name.textContent = side.short_name;
  }
}

function score(box, value, before) {
  if (box.textContent === String(value)) {
    return;
  }
  box.textContent = value;
  if (before) {
    box.classList.remove('new');
    void box.offsetWidth; // So that the animation begins anew.
    box.classList.add('new');
  }
}

function celebrate(state, goal) {
  const side = state[goal.team];
  const banner = at('banner');
  document.documentElement.style.setProperty('--scoring', side.color);
  at('scoring').textContent = side.name;
  at('scorer').textContent = goal.scorer;
  banner.classList.remove('on');
  void banner.offsetWidth;
  banner.classList.add('on');
}

/** Redrawn when the second changes and not in between: a page that rests costs nothing. */
function tick() {
  clearTimeout(clockTimer);
  const { running, elapsed_ms: elapsed, at_ms: since } = shown.clock;
  const now = Math.max(0, running ? elapsed + Date.now() - since : elapsed);
  const seconds = Math.floor(now / 1000);
  const text = `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  if (at('clock').textContent !== text) {
    at('clock').textContent = text;
  }
  if (running) {
    clockTimer = setTimeout(tick, 1000 - (now % 1000) + 1);
  }
}

addEventListener('resize', fit);
document.fonts.ready.then(() => shown && show(shown));
fit();
listen();
