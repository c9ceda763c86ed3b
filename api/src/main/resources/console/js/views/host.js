import { call } from '../api.js';
import { showInCluster } from '../cluster.js';
import { dateTime, element, replace, toast } from '../dom.js';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** The host of the server: load, memory, disk, cards, encoders, versions; and reading the configuration again. */
export async function hostPage(main) {
  const sections = new Map();
  const grid = element('div', { class: 'columns' });
  const columns = [element('div', { class: 'stack' }), element('div', { class: 'stack' })];
  for (const [index, [name]] of SECTIONS.entries()) {
    const section = element('section', { class: 'card', 'aria-label': name });
    sections.set(name, section);
    columns[index % 2].append(section);
  }
  grid.append(...columns);

  async function refresh() {
    const host = (await call('GET', '/system/v1/host')).data;
    for (const [name, rows] of SECTIONS) {
      draw(sections.get(name), name, rows(host));
    }
  }

  const nodes = element('a', { href: '#/nodes' }, 'Nodes');
  showInCluster(nodes);
  await refresh();
  replace(main,
    element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Host'),
      nodes,
      element('button', { class: 'quiet', type: 'button', id: 'reload', onclick: (event) => reload(event.target) }, 'Reload configuration')),
    grid);
  return { title: 'Host', refresh };
}

const SECTIONS = [
  ['Server', serverRows],
  ['Processors and memory', loadRows],
  ['Disk', diskRows],
  ['Certificate', certificateRows],
  ['Encoders', encoderRows],
  ['Graphics cards', cardRows],
  ['Versions', versionRows],
  ['Isolation', isolationRows],
];

function draw(section, name, rows) {
  replace(section,
    element('h2', {}, name),
    element('dl', { class: 'facts' }, rows.flatMap(([label, value]) => [element('dt', {}, label), element('dd', {}, value)])));
}

function serverRows(host) {
  return [
    ['Started', dateTime(host.started_at)],
    ['Up for', span(host.uptime_s)],
    ['Measured', dateTime(host.measured_at)],
  ];
}

function loadRows({ cpu, memory }) {
  return [
    ['Processors', String(cpu.count)],
    ['Load of the host', percent(cpu.load)],
    ['Load of the server', percent(cpu.process_load)],
    ['Server in RAM', bytes(memory.resident_bytes)],
    ['Heap', `${bytes(memory.heap_used_bytes)} of ${bytes(memory.heap_max_bytes)}`],
    ['Media outside the heap', bytes(memory.media_bytes)],
    ['Host', `${bytes(memory.host_available_bytes)} free of ${bytes(memory.host_total_bytes)}`],
  ];
}

/** A disk has to be watched for this long before its growth says something. */
const WATCHED_S = 600;

function diskRows({ disk, uptime_s: watched }) {
  if (disk === null) {
    return [['Data folder', 'cannot be read']];
  }
  return [
    ['Free', `${bytes(disk.free_bytes)} of ${bytes(disk.size_bytes)}`],
    ['Days left', disk.days_left !== null ? days(disk.days_left) : watched < WATCHED_S ? 'known after ten minutes' : 'the disk does not fill'],
    ['Growth', disk.growth_bytes_per_day !== null ? `${bytes(disk.growth_bytes_per_day)} a day` : watched < WATCHED_S ? 'known after ten minutes' : 'none'],
  ];
}

function certificateRows({ certificate }) {
  if (certificate === null) {
    return [['TLS', 'off']];
  }
  return [
    ['Subject', certificate.subject],
    ['Ends', dateTime(certificate.not_after)],
    ['Days left', certificate.days_left < 0 ? 'it has ended' : String(certificate.days_left)],
  ];
}

function encoderRows({ encoders }) {
  const tested = encoders.h264.map((encoder) => [encoder.name,
    encoder.usable ? (encoder.name === encoders.selected ? 'in use' : 'usable') : `not usable: ${encoder.reason}`]);
  const work = encoders.work.map((kind) => [kind.kind,
    kind.limit === null ? `${kind.running} running` : `${kind.running} of ${kind.limit} running`]);
  return [...(tested.length ? tested : [['H.264', 'is being tested']]), ...work];
}

function cardRows({ gpu }) {
  if (gpu.cards.length === 0) {
    return [['None', gpu.reason]];
  }
  return gpu.cards.flatMap((card) => [
    [`Card ${card.index}`, `${card.name}, driver ${card.driver}`],
    ['Memory', `${bytes(card.memory_used_bytes)} of ${bytes(card.memory_total_bytes)}`],
    ['Load', `${percent(card.load)}, NVENC ${percent(card.encoder_load)}, NVDEC ${percent(card.decoder_load)}`],
    ['NVENC sessions', card.encoder_sessions === null ? 'not known' : String(card.encoder_sessions)],
  ]);
}

function versionRows({ versions }) {
  const names = { touchline: 'Touchline', java: 'Java', ffmpeg: 'FFmpeg', pytorch: 'PyTorch', chromium: 'Chromium', os: 'System', database: 'Database' };
  return Object.entries(names).map(([key, name]) => [name, versions[key] ?? 'not loaded']);
}

function isolationRows({ isolation }) {
  return [
    ['Workers', isolation.workers.isolated ? `isolated by ${isolation.workers.confinement}` : `not isolated (${isolation.workers.confinement})`],
    ['Browser', browserText(isolation.browser)],
  ];
}

function browserText(browser) {
  if (browser === null) {
    return 'not running';
  }
  const sandbox = browser.sandbox ? 'in its sandbox' : 'without a sandbox';
  return `${sandbox}, ${browser.own_network ? 'network of its own' : "in the server's network"}`;
}

async function reload(button) {
  button.disabled = true;
  try {
    const report = (await call('POST', '/system/v1/reload')).data;
    const applied = report.applied.map((change) => change.key);
    toast([
      applied.length ? `Applied: ${applied.join(', ')}` : 'Nothing has changed',
      report.restart_required.length ? `restart for: ${report.restart_required.join(', ')}` : '',
    ].filter(Boolean).join('; '));
  } catch (problem) {
    toast([problem.message, ...(problem.fields ?? []).map((each) => `${each.field}: ${each.reason}`)].join('; '), true);
  } finally {
    button.disabled = false;
  }
}

function percent(share) {
  return share === null ? 'not known' : `${Math.round(share * 100)} %`;
}

function bytes(number) {
  if (number === null || number < 0) {
    return 'not known';
  }
  let value = number;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

function days(number) {
  return number < 10 ? number.toFixed(1) : String(Math.round(number));
}

function span(seconds) {
  const parts = [[86400, 'd'], [3600, 'h'], [60, 'min']];
  const shown = [];
  let rest = seconds;
  for (const [size, unit] of parts) {
    if (rest >= size) {
      shown.push(`${Math.floor(rest / size)} ${unit}`);
      rest %= size;
    }
  }
  return shown.slice(0, 2).join(' ') || `${seconds} s`;
}
