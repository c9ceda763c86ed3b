import { element, replace } from '/js/dom.js';
import { clockText, elapsedMs, isOver, periodOf, playedMs, timeText } from './score-rules.js';
import { randomText } from './score-queue.js';

const SIDES = ['home', 'away'];
const SPORTS = '/live/v1/sports';

/** The controls of a match: built anew for each sport, then only filled. */
export class ScorePanels {
  #link;
  #sport = null;
  #rules = null;
  #board = null;
  #parts = {};
  #timer = 0;
  #isOpen = true;

  constructor(link) {
    this.#link = link;
  }

  /** The page with the controls is left. */
  close() {
    this.#isOpen = false;
    clearTimeout(this.#timer);
  }

  draw(main, board, rules) {
    this.#board = board;
    this.#rules = rules;
    if (this.#sport !== board.sport) {
      this.#sport = board.sport;
      this.#parts = {};
      main.dataset.sport = board.sport;
      replace(main, this.#teams(), this.#clock(), this.#sets(), this.#periods(), this.#counters(), this.#penalties(), this.#settings());
    }
    for (const fill of Object.values(this.#parts)) {
      fill(board);
    }
    this.#tick();
  }

  #name(side) {
    return this.#board[side].name || (side === 'home' ? 'Home' : 'Away');
  }

  #act(action, label) {
    this.#link.act(action, label);
  }

  #teams() {
    const scorer = this.#rules.banner ? element('input', { name: 'scorer', maxlength: '64', autocomplete: 'off' }) : null;
    const sides = SIDES.map((side) => {
      const name = element('h2');
      const value = element('output', { class: 'value' });
      const points = element('span', { class: 'points' });
      const score = (step) => {
        this.#act({ action: 'score', team: side, points: step, ...(scorer?.value && step > 0 ? { scorer: scorer.value } : {}) },
          `${step > 0 ? '+' : '−'}${Math.abs(step)} ${this.#name(side)}`);
        if (scorer && step > 0) {
          scorer.value = '';
        }
      };
      const more = this.#rules.score_steps.map((step) => element('button', { type: 'button', class: 'main score', 'data-side': side, 'data-step': step, onclick: () => score(step) },
        this.#rules.sets?.games ? 'Point' : `+${step}`));
      const less = this.#rules.sets?.games ? null : element('button', { type: 'button', class: 'score', 'data-side': side, 'data-step': '-1', onclick: () => score(-1) }, '−1');
      const serve = this.#rules.serving ? element('button', { type: 'button', class: 'score', onclick: () => this.#act({ action: 'serve', team: side }, `Serve ${this.#name(side)}`) }, 'Serves') : null;
      const root = element('section', { class: 'card team' }, name, value, points, ...more, less, serve);
      this.#parts[`team-${side}`] = (board) => {
        say(name, this.#name(side));
        root.style.setProperty('--team', board[side].color);
        root.setAttribute('aria-label', this.#name(side));
        const set = board.sets.at(-1);
        say(value, String(this.#rules.sets ? (isOver(board) ? board[side].score : this.#rules.sets.games ? board[side].points_text : set[side]) : board[side].score));
        say(points, this.#rules.sets ? `Sets ${board[side].score}` : '');
        serve?.setAttribute('aria-pressed', String(board.serving === side));
        say(serve, board.serving === side ? '● Serves' : 'Serves');
        for (const button of [...more, less].filter(Boolean)) {
          button.setAttribute('aria-label', `${button.textContent} ${this.#name(side)}`);
        }
      };
      return root;
    });
    return [
      element('div', { class: 'pair' }, ...sides),
      scorer && element('label', {}, 'Scorer of the next goal (optional)', scorer),
    ].filter(Boolean);
  }

  #clock() {
    const time = element('output', { class: 'clock', 'aria-label': 'Clock' });
    const toggle = element('button', { type: 'button', class: 'main grow', id: 'clock', onclick: () => {
      const running = !this.#board.clock.running;
      this.#act({ action: 'clock', running }, running ? 'Start clock' : 'Stop clock');
    } });
    const move = (seconds, text) => element('button', { type: 'button', onclick: () => {
      const { clock } = this.#board;
      const by = clock.direction === 'down' ? -seconds : seconds;
      const to = Math.max(0, Math.round(elapsedMs(clock, this.#link.now()) + by * 1000));
      this.#act({ action: 'clock', elapsed_ms: to }, `Clock ${text}`);
    } }, text);
    const root = element('section', { class: 'card', 'aria-label': 'Clock' },
      element('div', { class: 'row' }, time, toggle),
      element('div', { class: 'steps' }, move(-60, '−1 min'), move(-1, '−1 s'), move(1, '+1 s'), move(60, '+1 min')));
    this.#parts.clock = (board) => {
      root.hidden = board.clock.direction === 'none';
      say(toggle, board.clock.running ? 'Stop clock' : 'Start clock');
    };
    this.#parts.time = (board) => say(time, clockText(board.clock, this.#link.now(), this.#rules.tenths_below_ms));
    return [root];
  }

  #sets() {
    if (!this.#rules.sets) {
      return [];
    }
    const table = element('table', { class: 'sets' });
    const end = element('button', { type: 'button', onclick: () => this.#act({ action: 'end_set' }, 'End set') }, 'End set now');
    this.#parts.sets = (board) => {
      replace(table, ...SIDES.map((side) => element('tr', {}, element('th', { scope: 'row' }, this.#name(side)),
        ...board.sets.map((set, i) => element('td', { class: i === board.sets.length - 1 && !isOver(board) ? 'now' : '' }, String(set[side]))))));
      end.disabled = isOver(board);
    };
    return [element('section', { class: 'card', 'aria-label': 'Sets' }, element('h2', {}, 'Sets'), table, end)];
  }

  #periods() {
    if (this.#rules.sets) {
      return [];
    }
    const text = element('input', { name: 'period', maxlength: '32', autocomplete: 'off' });
    text.addEventListener('change', () => this.#link.set({ period: text.value }, `Period ${text.value}`));
    const next = element('button', { type: 'button', id: 'next-period', onclick: () => {
      const number = this.#board.period_number + 1;
      this.#act({ action: 'period', number }, periodOf(this.#rules, number).name);
    } });
    this.#parts.periods = (board) => {
      fill(text, board.period);
      const following = periodOf(this.#rules, board.period_number + 1);
      next.hidden = !following;
      say(next, following ? `Begin: ${following.name}` : '');
    };
    return [element('section', { class: 'card', 'aria-label': 'Period' },
      element('label', {}, 'Period, as shown', text), element('div', { class: 'row' }, next))];
  }

  #counters() {
    return this.#rules.counters.map((counter) => element('section', { class: 'card', 'aria-label': counter.label },
      element('h2', {}, counter.label),
      element('div', { class: 'pair' }, ...SIDES.map((side) => {
        const value = element('output');
        const button = (by, sign) => element('button', { type: 'button', 'aria-label': `${sign} ${counter.label}, ${side}`, onclick: () =>
          this.#act({ action: 'count', team: side, counter: counter.name, by }, `${sign}1 ${counter.label}, ${this.#name(side)}`) }, sign);
        this.#parts[`${counter.name}-${side}`] = (board) => say(value, String(board[side].counters[counter.name] ?? 0));
        return element('div', { class: 'counter', role: 'group', 'aria-label': side }, button(-1, '−'), value, button(1, '+'));
      }))));
  }

  #penalties() {
    if (this.#rules.penalties_ms.length === 0) {
      return [];
    }
    const player = element('input', { name: 'player', maxlength: '32', autocomplete: 'off' });
    const list = element('ul', { class: 'penalties' });
    const columns = SIDES.map((side) => element('div', { class: 'row' }, ...this.#rules.penalties_ms.map((ms) =>
      element('button', { type: 'button', 'aria-label': `${ms / 60000} min, ${side}`, onclick: () => {
        this.#act({ action: 'penalty', team: side, length_ms: ms, player: player.value, penalty_id: `pen_${randomText()}` },
          `${ms / 60000} min ${this.#name(side)}`);
        player.value = '';
      } }, `${ms / 60000} min`))));
    let shown = '';
    this.#parts.penalties = (board) => {
      const now = playedMs(board.clock, this.#link.now());
      const running = board.penalties.filter((each) => each.ends_played_ms > now);
      const left = (each) => timeText(Math.ceil((each.ends_played_ms - now) / 1000));
      if (shown !== running.map((each) => each.id).join()) {
        shown = running.map((each) => each.id).join();
        replace(list, ...running.map((each) => element('li', {},
          element('span', { 'data-penalty': each.id }, ''),
          element('button', { type: 'button', 'aria-label': `End penalty of ${this.#name(each.team)} ${each.player}`, onclick: () =>
            this.#act({ action: 'end_penalty', penalty_id: each.id }, `End penalty, ${this.#name(each.team)}`) }, 'End'))));
      }
      running.forEach((each) => say(list.querySelector(`[data-penalty="${CSS.escape(each.id)}"]`), `${left(each)} ${this.#name(each.team)} ${each.player}`));
    };
    return [element('section', { class: 'card', 'aria-label': 'Penalties' }, element('h2', {}, 'Penalties'),
      element('label', {}, 'Player (optional)', player), element('div', { class: 'pair' }, ...columns), list)];
  }

  #settings() {
    const text = (name, label, read, write, attributes = {}) => {
      const input = element('input', { name, autocomplete: 'off', ...attributes });
      input.addEventListener('change', () => this.#link.set(write(input.value), label));
      this.#parts[name] = (board) => fill(input, read(board));
      return element('label', {}, label, input);
    };
    const visible = element('input', { type: 'checkbox', name: 'visible' });
    visible.addEventListener('change', () => this.#link.set({ visible: visible.checked }, visible.checked ? 'Show scoreboard' : 'Hide scoreboard'));
    const sport = element('select', { name: 'sport' }, element('option', { value: this.#sport }, this.#rules.name));
    const details = element('details', { class: 'card' }, element('summary', {}, 'Teams, sport and new match'));
    details.addEventListener('toggle', () => this.#offerSports(sport));
    sport.addEventListener('change', () => this.#newMatch({ sport: sport.value }, `Sport ${sport.selectedOptions[0].textContent}`, sport));
    this.#parts.settings = (board) => {
      visible.checked = board.visible;
      // The rules of another sport come with the server's answer.
      sport.disabled = this.#link.state !== 'connected';
    };
    details.append(element('div', {},
      element('label', { class: 'flag' }, visible, 'Show the scoreboard in the video'),
      ...SIDES.flatMap((side) => {
        const word = side === 'home' ? 'Home' : 'Away';
        return [
          text(`${side}-name`, `${word}: name`, (board) => board[side].name, (value) => ({ [side]: { name: value } }), { maxlength: '32' }),
          text(`${side}-short`, `${word}: short name`, (board) => board[side].short_name, (value) => ({ [side]: { short_name: value } }), { maxlength: '6' }),
          text(`${side}-color`, `${word}: colour`, (board) => board[side].color, (value) => ({ [side]: { color: value } }), { type: 'color' }),
        ];
      }),
      element('label', {}, 'Sport (begins a new match)', sport),
      element('button', { type: 'button', id: 'new-match', onclick: () => this.#newMatch(NEW_MATCH, 'New match') }, 'New match: everything to 0')));
    return [details];
  }

  #newMatch(fields, label, select) {
    if (confirm('Set score, clock, period and counters to the start of a match?')) {
      this.#link.set(fields, label);
    } else if (select) {
      select.value = this.#sport;
    }
  }

  async #offerSports(select) {
    if (select.length > 1) {
      return;
    }
    try {
      const { data } = await (await fetch(SPORTS)).json();
      replace(select, ...data.sports.map((each) => element('option', { value: each.sport }, each.name)));
      select.value = this.#sport;
    } catch {
      // Without network the present sport alone is offered.
    }
  }

  /** While a clock runs, its time and the penalties are drawn as they change. */
  #tick() {
    clearTimeout(this.#timer);
    if (this.#isOpen && this.#board.clock.running) {
      this.#timer = setTimeout(() => {
        this.#parts.time?.(this.#board);
        this.#parts.penalties?.(this.#board);
        this.#tick();
      }, 100);
    }
  }
}

const NEW_MATCH = {
  home: { score: null, counters: null }, away: { score: null, counters: null }, clock: null,
  period: null, period_number: null, sets: null, serving: null, penalties: null,
};

function say(box, text) {
  if (box && box.textContent !== text) {
    box.textContent = text;
  }
}

/** Leaves a field that has the focus as it is. */
function fill(input, value) {
  if (document.activeElement !== input && input.value !== value) {
    input.value = value;
  }
}
