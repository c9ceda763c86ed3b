import { liveStreams } from '../api.js';
import { AuditSettings } from '../audit-settings.js';
import { badge, dateTime, element, replace, toast } from '../dom.js';
import { Evidence, risk } from '../evidence.js';
import { ListFilter } from '../list-filter.js';
import { moderation, statusWord } from '../moderation-api.js';
import { PagedTable } from '../paged-table.js';
import { Simulator } from '../simulator.js';
import { SessionTimeline, time } from '../session-timeline.js';
import { named, table } from '../table.js';

const PAGES_AT_FIRST = 10;
const RECORD_COLUMNS = ['Frame', 'Found', 'Status', 'Decided by'];

/** Models, and the moderated sessions. */
export async function moderationList(main) {
  const models = element('section', { class: 'card', 'aria-label': 'Models' });
  const streams = new PagedTable({
    columns: ['Stream', 'Status', 'Moderated for'],
    load: (page, filter) => liveStreams.list(page, 25, filter),
    row: streamRow,
    label: 'Streams',
    filter: new ListFilter({
      search: 'Search title, metadata or id',
      statuses: [['active', 'Live'], ['idle', 'Idle'], ['disable', 'Disabled']],
    }),
    empty: element('p', { class: 'card hint', hidden: true }, 'No streams yet.'),
  });

  async function refresh() {
    const [known] = await Promise.all([moderation.models(), streams.refresh()]);
    drawModels(models, known);
  }

  await refresh();
  replace(main,
    element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Moderation')),
    element('div', { class: 'stack' }, models, element('div', {}, streams.parts)));
  return { title: 'Moderation', refresh };
}

function streamRow(stream) {
  return element('tr', {},
    element('td', {}, element('a', { class: 'name', href: `#/moderation/${encodeURIComponent(stream.id)}` }, stream.title || stream.user_metadata || stream.id)),
    element('td', {}, badge(stream.status)),
    element('td', {}, stream.audit_settings
      ? `${Object.entries(stream.audit_settings.models).map(([type, threshold]) => `${type} above ${threshold}`).join(', ')}, every ${stream.audit_settings.frame_interval} s`
      : 'not moderated'));
}

function drawModels(card, models) {
  const used = models.filter((model) => model.state !== 'unused');
  replace(card, element('h2', {}, 'Models'),
    demoNotice(models),
    used.length === 0 && element('p', { class: 'notice' }, 'No models are installed. See docs/models.md.'),
    element('ul', { class: 'models' }, models.map((model) => element('li', {},
      element('b', {}, model.name), model.demo ? ' (demo)' : '', ` – ${model.alert_types.join(', ') || 'no alert types'}: ${model.state}`,
      model.reason ? ` – ${model.reason}` : ''))));
}

/** A warning: demo models are no real ones. */
function demoNotice(models) {
  const demos = models.filter((model) => model.demo && model.state === 'ready').map((model) => model.name);
  return demos.length > 0 && element('p', { class: 'demo-notice', role: 'note' },
    `${demos.join(' and ')} are demo models: they detect saturated magenta and cyan only.`);
}

/** One session of a stream: timeline, evidence, review, settings and simulator. */
export async function moderationPage(main, [streamId, wanted]) {
  const page = new ModerationPage(streamId, wanted);
  await page.refresh();
  page.mount(main);
  return { title: 'Moderation', refresh: () => page.refresh() };
}

class ModerationPage {
  #streamId;
  #session;
  #heading = element('h1', { class: 'grow' });
  #notice = element('div');
  #sessions = element('select', { 'aria-label': 'Session', id: 'session' });
  #counts = element('p', { class: 'hint' });
  #rows = element('tbody');
  #table = element('div', { class: 'card table-wrap', hidden: true },
    table(RECORD_COLUMNS, this.#rows, { id: 'records', 'aria-label': 'Records' }));
  #timeline = new SessionTimeline((id) => this.#choose(id));
  #models = [];
  #frames = new Map();
  #records = new Map();
  #chosen = null;
  #evidence = new Evidence(() => this.#models, (record) => this.#changed(record));
  #settings;
  #simulator = new Simulator();
  #shown = '';

  constructor(streamId, session) {
    this.#streamId = streamId;
    this.#session = session ?? null;
    this.#settings = new AuditSettings(streamId, () => this.refresh());
    this.#sessions.addEventListener('change', () => {
      location.hash = `#/moderation/${encodeURIComponent(streamId)}/${encodeURIComponent(this.#sessions.value)}`;
    });
  }

  mount(main) {
    replace(main,
      element('div', { class: 'head' }, this.#heading, this.#sessions),
      this.#notice,
      element('div', { class: 'columns' },
        element('div', { class: 'stack' },
          element('section', { class: 'card', 'aria-label': 'Timeline' }, element('h2', {}, 'Sampled frames'), this.#timeline.root, this.#counts),
          this.#evidence.root,
          this.#table),
        element('div', { class: 'stack' }, this.#settings.root, this.#simulator.root)));
  }

  async refresh() {
    const [stream, sessions, models] = await Promise.all([
      liveStreams.get(this.#streamId), moderation.sessions(this.#streamId), moderation.models()]);
    this.#models = models;
    this.#session ??= sessions[0]?.id ?? null;
    this.#heading.textContent = `Moderation of ${stream.title || stream.user_metadata || stream.id}`;
    const session = sessions.find((each) => each.id === this.#session);
    replace(this.#notice, demoNotice(models),
      session?.moderation === 'unavailable' && element('p', { class: 'notice' }, 'An alert type has no model: see docs/models.md.'));
    this.#drawSettings(stream, session);
    this.#drawSessions(sessions);
    if (this.#session !== null) {
      await this.#load();
      this.#draw();
      await this.#simulator.ask();
    }
  }

  #drawSettings(stream, session) {
    this.#settings.running(session?.status === 'active' && session.moderation !== 'off' && session.moderation !== 'stopped' ? session.id : null);
    const key = JSON.stringify([stream.audit_settings, this.#session]);
    if (this.#shown !== key) {
      this.#shown = key;
      this.#settings.show(stream.audit_settings);
      this.#simulator.begin(this.#session, stream.audit_settings?.models ?? {});
    }
  }

  #drawSessions(sessions) {
    this.#sessions.hidden = sessions.length === 0;
    const ids = sessions.map((each) => each.id).join();
    if (this.#sessions.dataset.ids !== ids) {
      this.#sessions.dataset.ids = ids;
      replace(this.#sessions, sessions.map((each) => element('option', { value: each.id, selected: each.id === this.#session },
        `${dateTime(each.started_at)}${each.status === 'active' ? ' (live)' : ''}`)));
    }
  }

  /** Everything the first time, up to a thousand frames; the newest page afterwards. */
  async #load() {
    await load(this.#frames, (frame) => frame.captured_at, (page) => moderation.frames(this.#session, page));
    await load(this.#records, (record) => record.id, (page) => moderation.records(this.#session, page));
  }

  #draw() {
    const frames = [...this.#frames.values()].sort((a, b) => b.captured_at - a.captured_at);
    const records = [...this.#records.values()].sort((a, b) => b.id - a.id);
    this.#timeline.draw(frames, this.#chosen);
    this.#counts.textContent = `${frames.length} frames, ${records.length} records`;
    const key = JSON.stringify(records.map((record) => [record.id, record.detect_status, record.audit_from, record.id === this.#chosen]));
    if (this.#rows.dataset.key !== key) {
      this.#rows.dataset.key = key;
      this.#table.hidden = records.length === 0;
      replace(this.#rows, records.map((record) => named(RECORD_COLUMNS, this.#row(record))));
    }
  }

  #row(record) {
    const found = JSON.parse(record.detect_info).filter((finding) => finding.risk_level !== 'pass');
    return element('tr', { class: record.id === this.#chosen && 'chosen' },
      element('td', {}, element('button', { class: 'quiet small', type: 'button', 'data-record': record.id, onclick: () => this.#choose(record.id) }, time(record.captured_at))),
      element('td', {}, found.map((finding) => `${finding.model} ${finding.confidence.toFixed(2)}`).join(', ')),
      element('td', {}, risk(statusWord(record.detect_status))),
      element('td', {}, record.audit_from === 2 ? 'a person' : 'machine'));
  }

  #choose(id) {
    const record = this.#records.get(id);
    if (!record) {
      toast('This record is not loaded', true);
      return;
    }
    this.#chosen = id;
    this.#evidence.draw(record);
    this.#draw();
  }

  #changed(record) {
    this.#records.set(record.id, record);
    this.#draw();
  }
}

async function load(known, key, fetchPage) {
  const pages = known.size === 0 ? PAGES_AT_FIRST : 1;
  for (let page = 1; page <= pages; page++) {
    const reply = await fetchPage(page);
    for (const item of reply.data) {
      known.set(key(item), item);
    }
    if (!reply.has_more) {
      return;
    }
  }
}
