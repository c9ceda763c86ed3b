/**
 * What actions make of a scoreboard, so that the page shows them before the server has them. The
 * server's ScoreboardActions does the same; one file of cases tests both.
 */

const CALLED = ['0', '15', '30', '40'];
const SIDES = ['home', 'away'];
const other = (side) => (side === 'home' ? 'away' : 'home');
const clamp = (value, max) => Math.min(Math.max(value, 0), max);

/** Time of the clock since its start, at `now`; one that counts down stays at the period's end. */
export function elapsedMs(clock, now) {
  const elapsed = clock.running ? clock.elapsed_ms + Math.max(0, now - clock.at_ms) : clock.elapsed_ms;
  return clock.direction === 'down' ? Math.max(clock.elapsed_ms, Math.min(elapsed, clock.period_ms)) : elapsed;
}

/** What the clock shows at `now`. */
export function shownMs(clock, now) {
  return clock.direction === 'down' ? Math.max(0, clock.period_ms - elapsedMs(clock, now)) : elapsedMs(clock, now);
}

export function playedMs(clock, now) {
  return clock.played_ms + elapsedMs(clock, now) - clock.elapsed_ms;
}

/** As minutes and seconds; tenths of a second below `tenthsBelowMs` of a clock that counts down. */
export function clockText(clock, now, tenthsBelowMs = 0) {
  const shown = shownMs(clock, now);
  const isDown = clock.direction === 'down';
  if (isDown && shown < tenthsBelowMs) {
    return `${Math.floor(shown / 1000)}.${Math.floor((shown % 1000) / 100)}`;
  }
  return timeText(isDown ? Math.ceil(shown / 1000) : Math.floor(shown / 1000));
}

export function timeText(seconds) {
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The rule of a period by its number; null if the sport has none. */
export function periodOf(rules, number) {
  if (number < 1 || number > 20) {
    return null;
  }
  if (number <= rules.periods.length) {
    return rules.periods[number - 1];
  }
  const further = number - rules.periods.length;
  return rules.overtime && { ...rules.overtime, name: further === 1 ? rules.overtime.name : `${further}. ${rules.overtime.name}` };
}

/** Points as they are called; empty in sports without games. */
function pointsText(board, rules, side) {
  if (!rules.sets?.games) {
    return '';
  }
  const own = board[side].points;
  if (isTieBreak(board, rules)) {
    return String(own);
  }
  return own < CALLED.length ? CALLED[own] : own > board[other(side)].points ? 'AD' : '40';
}

export function isOver(board) {
  return board.sets.length > 0 && Math.max(board.home.score, board.away.score) >= board.sets_to_win;
}

function isTieBreak(board, rules) {
  const games = board.sets.at(-1) ?? { home: 0, away: 0 };
  return rules.sets.games && !isOver(board) && games.home === rules.sets.target && games.away === rules.sets.target;
}

function changeClock(clock, running, toElapsedMs, atMs) {
  const at = Math.max(atMs, clock.at_ms);
  return { ...clock, running, elapsed_ms: toElapsedMs ?? elapsedMs(clock, at), at_ms: at, played_ms: playedMs(clock, at) };
}

/** Takes the counters of a period back to 0. */
function fresh(board, rules) {
  for (const counter of rules.counters.filter((each) => each.per_period)) {
    SIDES.forEach((side) => { board[side].counters[counter.name] = 0; });
  }
}

const isWon = (count, side, target) => count[side] >= target && count[side] - count[other(side)] >= 2;

function setWon(board, rules, side) {
  board[side].score = clamp(board[side].score + 1, board.sets_to_win);
  SIDES.forEach((each) => { board[each].points = 0; });
  if (Math.max(board.home.score, board.away.score) < board.sets_to_win) {
    board.sets.push({ home: 0, away: 0 });
  }
  fresh(board, rules);
}

function rally(board, rules, side, points) {
  const set = board.sets.at(-1);
  const isDeciding = board.sets.length >= 2 * board.sets_to_win - 1;
  set[side] = clamp(set[side] + points, 99);
  if (points > 0) {
    board.serving = side;
    if (isWon(set, side, isDeciding ? rules.sets.deciding_target : rules.sets.target)) {
      setWon(board, rules, side);
    }
  }
}

function point(board, rules, side) {
  const tieBreak = isTieBreak(board, rules);
  const before = board.home.points + board.away.points;
  board[side].points += 1;
  const count = { home: board.home.points, away: board.away.points };
  if (!isWon(count, side, tieBreak ? 7 : 4)) {
    if (tieBreak && (before + 1) % 2 === 1 && board.serving) {
      board.serving = other(board.serving);
    }
    return;
  }
  const games = board.sets.at(-1);
  games[side] += 1;
  SIDES.forEach((each) => { board[each].points = 0; });
  if (board.serving && (!tieBreak || Math.floor((before + 1) / 2) % 2 === 0)) {
    board.serving = other(board.serving);
  }
  if (tieBreak || isWon(games, side, rules.sets.target)) {
    setWon(board, rules, side);
  }
}

function score(board, rules, action, atMs) {
  const side = action.team;
  const points = action.points ?? 1;
  if (rules.sets) {
    if (!isOver(board)) {
      (rules.sets.games ? point : rally)(board, rules, side, points);
    }
    return;
  }
  board[side].score = clamp(board[side].score + points, 999);
  if (points > 0 && rules.banner) {
    board.goal = { team: side, scorer: action.scorer ?? '', at_ms: atMs };
  }
}

function endSet(board, rules) {
  const set = board.sets.at(-1);
  if (!isOver(board) && set && set.home !== set.away) {
    setWon(board, rules, set.home > set.away ? 'home' : 'away');
  }
}

function beginPeriod(board, rules, number, atMs) {
  const period = periodOf(rules, number);
  if (period) {
    board.clock = { ...changeClock(board.clock, false, period.starts_ms, atMs), period_ms: period.length_ms };
    board.period_number = number;
    board.period = period.name;
    fresh(board, rules);
  }
}

function penalize(board, action, atMs) {
  const played = playedMs(board.clock, Math.max(atMs, board.clock.at_ms));
  const running = board.penalties.filter((each) => each.ends_played_ms > played && each.id !== action.penalty_id);
  board.penalties = [...running.slice(running.length >= 12 ? 1 : 0), {
    id: action.penalty_id, team: action.team, player: action.player ?? '',
    length_ms: action.length_ms, ends_played_ms: played + action.length_ms,
  }];
}

const ACTIONS = {
  score,
  clock: (board, rules, action, atMs) => {
    board.clock = changeClock(board.clock, action.running ?? board.clock.running, action.elapsed_ms, atMs);
  },
  period: (board, rules, action, atMs) => beginPeriod(board, rules, action.number, atMs),
  count: (board, rules, action) => {
    const counter = rules.counters.find((each) => each.name === action.counter);
    if (counter) {
      const counters = board[action.team].counters;
      counters[counter.name] = clamp((counters[counter.name] ?? 0) + (action.by ?? 1), counter.max);
    }
  },
  penalty: (board, rules, action, atMs) => penalize(board, action, atMs),
  end_penalty: (board, rules, action) => {
    board.penalties = board.penalties.filter((each) => each.id !== action.penalty_id);
  },
  serve: (board, rules, action) => { board.serving = action.team; },
  end_set: (board, rules) => endSet(board, rules),
};

/** The board behind an action; the given one stays as it is. */
export function apply(board, rules, action, atMs) {
  const after = structuredClone(board);
  ACTIONS[action.action]?.(after, rules, action, atMs);
  SIDES.forEach((side) => { after[side].points_text = pointsText(after, rules, side); });
  return after;
}

/** The parts of a board that an undo takes back apart from each other. */
const PARTS = {
  look: (board) => [board.visible, board.sponsor_image_id, SIDES.map((side) => ['name', 'short_name', 'color', 'logo_image_id'].map((name) => board[side][name]))],
  score: (board) => [board.sets, board.sets_to_win, board.serving, board.goal, SIDES.map((side) => [board[side].score, board[side].points])],
  play: (board) => [board.clock, board.period, board.period_number],
  extras: (board) => [board.penalties, SIDES.map((side) => board[side].counters)],
};

const FIELDS = {
  look: [['visible', 'sponsor_image_id'], ['name', 'short_name', 'color', 'logo_image_id']],
  score: [['sets', 'sets_to_win', 'serving', 'goal'], ['score', 'points', 'points_text']],
  play: [['clock', 'period', 'period_number'], []],
  extras: [['penalties'], ['counters']],
};

/** The current board without one change; null if a later one has changed the same part. */
export function undone(before, after, current) {
  const result = structuredClone(current);
  if (before.sport !== after.sport || before.sport !== current.sport) {
    return null;
  }
  const text = (board, part) => JSON.stringify(PARTS[part](board));
  for (const part of Object.keys(PARTS).filter((each) => text(before, each) !== text(after, each))) {
    if (text(current, part) !== text(after, part)) {
      return null;
    }
    const [ofBoard, ofSide] = FIELDS[part];
    ofBoard.forEach((name) => { result[name] = structuredClone(before[name]); });
    SIDES.forEach((side) => ofSide.forEach((name) => { result[side][name] = structuredClone(before[side][name]); }));
  }
  return result;
}
