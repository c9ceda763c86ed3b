import { ApiError, liveStreams, playbackAddress, scoreboards } from '../api.js';
import { badge, confirmDialog, element, replace, toast } from '../dom.js';
import { Player } from '../player.js';
import { boxOf, PlacementBox, placementOf } from '../placement.js';
import { MixDesk } from '../mix-desk.js';
import { ScoreDesk } from '../score-desk.js';
import { ScoreLinkCard } from '../score-links.js';

/** The page that comes with the server; its own proxy knows whose page it is. */
const BUNDLED = 'http://scoreboard.touchline.internal/';

/** Where the bundled page looks best: a strip in the upper left corner. */
const BUNDLED_PLACE = { width: '50%', height: '20.8%', horizontal_margin: '1.9%', vertical_margin: '3.3%' };

/** The scoreboard of one stream: which page, where it stands, and what the bundled one shows. */
export async function scoreboardPage(main, [id]) {
  const player = new Player();
  const heading = element('h1');
  const status = element('span');
  const note = element('p', { class: 'hint', role: 'status' });
  const box = new PlacementBox(player.frame, placed);
  const desk = new ScoreDesk(id);
  const deskCard = element('section', { class: 'card', 'aria-label': 'Score' }, element('h2', {}, 'Score'), desk.root);
  const links = new ScoreLinkCard(id);
  const mix = new MixDesk(id);
  const form = pageForm();
  let stream = null;
  let stored = null;
  let dirty = false;

  function placed(rectangle) {
    dirty = true;
    form.place(placementOf(rectangle));
  }

  async function refresh() {
    stream = await liveStreams.get(id);
    stored = stream.generate_watermark ?? null;
    heading.textContent = `Scoreboard – ${stream.title || stream.user_metadata || stream.id}`;
    replace(status, badge(stream.status));
    const pushed = stored?.type === 'stream';
    const html = pushed ? null : stored;
    const fixed = stream.status === 'active' || stream.status === 'disable';
    if (!dirty) {
      form.fill(stored);
      box.show(boxOf(shape(stored)));
    }
    box.lock(fixed);
    form.state(fixed, stored);
    note.textContent = fixed
      ? `${pushed ? 'Levels take effect' : 'The address takes effect'} at once. Place and size can be changed only while the stream is idle.`
      : 'Drag the box or its corner. The place takes effect in the next session.';
    deskCard.hidden = pushed || (form.url() || html?.url) !== BUNDLED;
    links.root.hidden = deskCard.hidden;
    await mix.refresh(stream);
    await Promise.all([desk.refresh(), links.refresh()]);
    watch();
  }

  function watch() {
    const open = stream.playback_ids.find((entry) => entry.policy === 'public');
    if (stream.status === 'active' && open) {
      player.play(playbackAddress(open.id), stream.active_session_id);
    } else {
      player.end('Not live', 'The box shows the place of the scoreboard.');
    }
  }

  function pageForm() {
    const url = element('input', { type: 'url', name: 'url', required: true, maxlength: '2048', placeholder: 'https://scoreboard.example/match/42', oninput: () => { dirty = true; } });
    const timeout = element('input', { type: 'number', name: 'page_load_timeout', min: '1', max: '60', value: '10', oninput: () => { dirty = true; } });
    const look = Object.fromEntries(['width', 'height', 'horizontal_margin', 'vertical_margin', 'opacity'].map((name) => [name,
      element('input', { name, inputmode: 'decimal', placeholder: name === 'opacity' ? '100%' : '', oninput: typed })]));
    const vertical = select('vertical_align', ['top', 'middle', 'bottom']);
    const horizontal = select('horizontal_align', ['left', 'center', 'right']);
    const error = element('p', { class: 'field-error', role: 'alert' });
    const save = element('button', { type: 'submit' }, 'Show this page');
    const remove = element('button', { class: 'danger', type: 'button', onclick: removeIt }, 'Remove scoreboard');
    const bundled = element('button', { class: 'quiet small', type: 'button', onclick: useBundled }, 'Use the bundled scoreboard');
    const push = element('button', { class: 'quiet small', type: 'button', onclick: usePush }, 'Use an overlay stream instead');
    const address = element('fieldset', { class: 'bare' },
      field('Address', url), element('div', { class: 'actions' }, bundled, push),
      field('Loading timeout (s)', timeout));
    const title = element('h2', {}, 'Page');
    const placing = element('fieldset', { class: 'bare' },
      element('div', { class: 'pair' }, field('From', vertical), field('and', horizontal)),
      element('div', { class: 'pair' }, field('Width', look.width), field('Height', look.height)),
      element('div', { class: 'pair' }, field('Margin, vertical', look.vertical_margin), field('Margin, horizontal', look.horizontal_margin)),
      field('Opacity', look.opacity));
    const root = element('form', { class: 'card', 'aria-label': 'Page' },
      title, address,
      element('h2', {}, 'Place'), placing, error,
      element('div', { class: 'actions' }, save, remove));
    root.addEventListener('submit', submit);

    function select(name, values) {
      return element('select', { name, onchange: typed }, values.map((value) => element('option', { value }, value)));
    }

    function settings() {
      const all = { vertical_align: vertical.value, horizontal_align: horizontal.value };
      for (const [name, input] of Object.entries(look)) {
        const text = input.value.trim();
        if (text !== '') {
          all[name] = text.endsWith('%') ? text : `${text}%`;
        }
      }
      return all;
    }

    function typed() {
      dirty = true;
      box.show(boxOf(shape({ ...stored, overlay_settings: settings() })));
    }

    async function usePush() {
      await scoreboards.putPage(id, { type: 'stream', audio_mix_settings: { mode: 'mix' } })
        .then(() => toast('Push the overlay stream to the address shown'), (problem) => toast(problem.message, true));
      dirty = false;
      await refresh();
    }

    function useBundled() {
      dirty = true;
      url.value = BUNDLED;
      deskCard.hidden = false;
      links.root.hidden = false;
      if (!placing.disabled && !stored) {
        place({ vertical_align: 'top', horizontal_align: 'left', ...BUNDLED_PLACE });
        box.show(boxOf(settings()));
      }
    }

    function place(values) {
      vertical.value = values.vertical_align === 'center' ? 'middle' : values.vertical_align ?? 'top';
      horizontal.value = values.horizontal_align ?? 'left';
      for (const [name, input] of Object.entries(look)) {
        if (values[name] !== undefined) {
          input.value = values[name];
        }
      }
    }

    async function submit(event) {
      event.preventDefault();
      error.textContent = '';
      save.disabled = true;
      const body = stored?.type === 'stream' ? {} : { type: 'html', url: url.value.trim(), page_load_timeout: Number(timeout.value) };
      if (!placing.disabled) {
        body.overlay_settings = settings();
      }
      try {
        await scoreboards.putPage(id, body);
        dirty = false;
        toast(stream.status === 'active' ? 'Loading; replaces the old page when it is loaded' : 'Saved for the next session');
        await refresh();
      } catch (problem) {
        error.textContent = problem instanceof ApiError
          ? [problem.message, ...problem.fields.map((entry) => `${entry.field}: ${entry.reason}`)].join(' – ')
          : 'The server cannot be reached.';
      } finally {
        save.disabled = false;
      }
    }

    async function removeIt() {
      if (!await confirmDialog('Remove the scoreboard?', 'It disappears from the video at once. While the stream is live, it can return in the upper left corner only.', 'Remove scoreboard')) {
        return;
      }
      await scoreboards.removePage(id).then(() => toast('Gone'), (problem) => toast(problem.message, true));
      dirty = false;
      await refresh();
    }

    return {
      root,
      place,
      url: () => url.value.trim(),
      fill(watermark) {
        if (root.contains(document.activeElement)) {
          return;
        }
        url.value = watermark?.url ?? '';
        timeout.value = watermark?.page_load_timeout ?? 10;
        for (const input of Object.values(look)) {
          input.value = '';
        }
        place(watermark?.overlay_settings ?? {});
      },
      state(fixed, watermark) {
        const pushed = watermark?.type === 'stream';
        placing.disabled = fixed;
        address.disabled = pushed;
        address.hidden = pushed;
        title.hidden = pushed;
        push.hidden = fixed && Boolean(watermark);
        save.hidden = pushed && fixed;
        remove.hidden = !watermark;
        save.textContent = pushed ? 'Place it here' : watermark ? 'Change' : 'Show this page';
      },
    };
  }

  await refresh();
  replace(main,
    element('div', { class: 'head' },
      element('div', { class: 'grow' }, element('a', { class: 'back', href: `#/streams/${encodeURIComponent(id)}` }, '← Stream'), heading), status),
    element('div', { class: 'columns' },
      element('div', { class: 'stack' }, element('div', {}, player.root, note), deskCard, links.root),
      element('div', { class: 'stack' }, mix.root, form.root)));
  return {
    title: heading.textContent,
    refresh,
    close: () => {
      player.stop('');
      desk.close();
    },
  };
}

/** Without a size an overlay stream is a quarter as wide as the frame, a page is all of it. */
function shape(watermark) {
  const settings = watermark?.overlay_settings ?? {};
  const open = settings.width === undefined && settings.height === undefined;
  return watermark?.type === 'stream' && open ? { ...settings, width: '25%' } : settings;
}

function field(label, input) {
  return element('label', { class: 'field' }, element('span', {}, label), input);
}
