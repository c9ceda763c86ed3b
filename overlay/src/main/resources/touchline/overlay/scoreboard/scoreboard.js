/** Shows what the feed says: a WebSocket of this page's own host, which knows whose page it is. */

const WIDTH = 640;
const HEIGHT = 150;
const BANNER_MS = 8000;
const RETRY_MS = 1000;
const SIDES = ['home', 'away'];

const at = (id) => document.getElementById(id);
const board = at('board');
let shown = null;
let clockTimer = 0;
let celebratedMs = 0;

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
  const hasSets = Boolean(state.rules.sets);
  at('bar').hidden = hasSets;
  at('extras').hidden = hasSets;
  at('rows').hidden = !hasSets;
  for (const side of SIDES) {
    document.documentElement.style.setProperty(`--${side}`, state[side].color);
    if (hasSets) {
      row(at(`${side}-row`), state, side);
    } else {
      marks(at(side).querySelector('.cards'), state[side].counters.red_cards ?? 0);
      score(at(`${side}-score`), state[side].score, before);
    }
  }
  at('score').classList.toggle('wide', Math.max(state.home.score, state.away.score) >= 100);
  image(at('sponsor'), state.sponsor_image_id);
  at('period').textContent = state.period;
  const used = state.clock.running || state.clock.elapsed_ms > 0 || state.rules.periods.length > 0;
  at('clock').hidden = state.clock.direction === 'none' || !used;
  at('clock-box').hidden = at('clock').hidden && !state.period;
  if (!hasSets) {
    // Names last: what stands beside them decides their room.
    SIDES.forEach((side) => team(at(side), state[side]));
  }
  tick();
  celebrate(state);
}

/** An image of the server, by its id; one that does not load is not shown. */
function image(box, id) {
  const address = id ? `images/${id}` : '';
  if (box.dataset.of !== address) {
    box.dataset.of = address;
    box.hidden = true;
    box.onload = () => {
      box.hidden = false;
      shown && show(shown);
    };
    if (address) {
      box.src = address;
    } else {
      box.removeAttribute('src');
    }
  }
}

/** The whole name if there is room, else the short one. */
function team(box, side) {
  image(box.querySelector('.logo'), side.logo_image_id);
  const name = box.querySelector('.name');
  name.textContent = side.name;
  if (name.scrollWidth > name.clientWidth) {
    name.textContent = side.short_name;
  }
}

/** As many small boxes. */
function marks(box, count) {
  if (box.childElementCount !== count) {
    box.replaceChildren(...Array.from({ length: count }, () => document.createElement('s')));
  }
}

/** One side of a sport with sets: those before the current one, and what is played now. */
function row(box, state, side) {
  team(box, state[side]);
  box.classList.toggle('serves', state.serving === side);
  const counters = box.querySelector('.counters');
  counters.hidden = state.rules.counters.length === 0;
  marks(counters, state[side].counters.timeouts ?? 0);
  const over = Math.max(state.home.score, state.away.score) >= state.sets_to_win;
  const games = state.rules.sets.games;
  const other = side === 'home' ? 'away' : 'home';
  box.querySelector('.sets').replaceChildren(...state.sets.slice(0, games || over ? undefined : -1).map((set, i) => {
    const cell = document.createElement('span');
    const now = !over && i === state.sets.length - 1;
    cell.className = now ? 'now' : set[side] > set[other] ? 'won' : '';
    cell.textContent = set[side];
    return cell;
  }));
  const points = box.querySelector('.points');
  points.hidden = over;
  points.textContent = games ? state[side].points_text : state.sets.at(-1)[side];
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

/** A new goal has its banner; one that was taken back has none. */
function celebrate(state) {
  const { goal } = state;
  const banner = at('banner');
  if (celebratedMs > 0 && goal?.at_ms !== celebratedMs) {
    banner.classList.remove('on');
  }
  if (!goal || goal.at_ms <= celebratedMs || Date.now() - goal.at_ms >= BANNER_MS || !state.rules.banner) {
    return;
  }
  celebratedMs = goal.at_ms;
  const side = state[goal.team];
  document.documentElement.style.setProperty('--scoring', side.color);
  at('banner-word').textContent = state.rules.banner;
  at('scoring').textContent = side.name;
  at('scorer').textContent = goal.scorer;
  banner.classList.remove('on');
  void banner.offsetWidth;
  banner.classList.add('on');
}

/** Time of the clock since its start; one that counts down stays at the period's end. */
function elapsedMs(clock, now) {
  const elapsed = Math.max(0, clock.running ? clock.elapsed_ms + now - clock.at_ms : clock.elapsed_ms);
  return clock.direction === 'down' ? Math.max(clock.elapsed_ms, Math.min(elapsed, clock.period_ms)) : elapsed;
}

function timeText(seconds, digits = 2) {
  return `${String(Math.floor(seconds / 60)).padStart(digits, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Redrawn when what it shows changes and not in between: a page that rests costs nothing. */
function tick() {
  clearTimeout(clockTimer);
  const { clock, rules } = shown;
  const elapsed = elapsedMs(clock, Date.now());
  const left = Math.max(0, clock.period_ms - elapsed);
  const down = clock.direction === 'down';
  const tenths = down && left < rules.tenths_below_ms && left > 0;
  set(at('clock'), tenths
    ? `${Math.floor(left / 1000)}.${Math.floor((left % 1000) / 100)}`
    : timeText(down ? Math.ceil(left / 1000) : Math.floor(elapsed / 1000)));
  const played = clock.played_ms + elapsed - clock.elapsed_ms;
  SIDES.forEach((side) => extras(at(`${side}-extras`), side, played));
  if (clock.running && !(down && left === 0)) {
    const step = tenths ? 100 : 1000;
    const wait = down ? left % step || step : step - (elapsed % step);
    clockTimer = setTimeout(tick, wait + 1);
  }
}

function set(box, text) {
  if (box.textContent !== text) {
    box.textContent = text;
  }
}

/** Penalties that run, fouls, and timeouts taken. */
function extras(box, side, played) {
  const { rules, penalties } = shown;
  const other = shown[side === 'home' ? 'away' : 'home'];
  const chips = penalties
    .filter((each) => each.team === side && each.ends_played_ms > played)
    .slice(0, 4)
    .map((each) => ['chip penalty', `${timeText(Math.ceil((each.ends_played_ms - played) / 1000), 1)}${each.player ? ` ${each.player}` : ''}`]);
  for (const counter of rules.counters.filter((each) => each.name !== 'red_cards')) {
    const value = shown[side].counters[counter.name] ?? 0;
    if (value > 0) {
      chips.push(['chip', `${counter.label} ${value}`]);
    }
    if (counter.bonus_from > 0 && (other.counters[counter.name] ?? 0) >= counter.bonus_from) {
      chips.push(['chip bonus', 'Bonus']);
    }
  }
  const text = JSON.stringify(chips);
  if (box.dataset.of !== text) {
    box.dataset.of = text;
    box.replaceChildren(...chips.map(([name, words]) => {
      const chip = document.createElement('span');
      chip.className = name;
      chip.textContent = words;
      return chip;
    }));
  }
}

addEventListener('resize', fit);
document.fonts.ready.then(() => shown && show(shown));
fit();
listen();
