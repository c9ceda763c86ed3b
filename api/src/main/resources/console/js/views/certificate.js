import { call } from '../api.js';
import { dateTime, element, replace } from '../dom.js';

const DAY_MS = 86_400_000;

/** The certificate that new TLS connections see, and how its last replacement went. */
export async function certificatePage(main) {
  const card = element('section', { class: 'card', 'aria-label': 'Certificate' });

  async function refresh() {
    const { certificate } = (await call('GET', '/system/v1/certificate')).data;
    replace(card,
      certificate?.failure && element('p', { class: 'notice', role: 'alert' },
        `Not replaced, ${dateTime(certificate.failure.at)}: ${certificate.failure.message}`),
      element('dl', { class: 'facts' }, rows(certificate).flatMap(([label, value]) => [element('dt', {}, label), element('dd', {}, value)])));
  }

  await refresh();
  replace(main, element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Certificate')), card);
  return { title: 'Certificate', refresh };
}

function rows(certificate) {
  if (!certificate) {
    return [['TLS', 'off: set tls.cert and tls.key, or tls.acme.domains']];
  }
  const facts = [
    ['Names', certificate.names.join(', ')],
    ['Issuer', certificate.self_signed ? 'self-signed: browsers refuse it' : certificate.issuer],
    ['Ends', `${dateTime(certificate.not_after)} (${left(certificate.not_after)})`],
    ['Serial number', element('span', { class: 'mono' }, certificate.serial)],
    ['Shown since', dateTime(certificate.since)],
    ['Source', certificate.source === 'acme' ? 'ACME' : 'tls.cert and tls.key'],
  ];
  return certificate.next_attempt ? [...facts, ['Next request to the directory', dateTime(certificate.next_attempt)]] : facts;
}

function left(end) {
  const days = Math.floor((Date.parse(end) - Date.now()) / DAY_MS);
  return days < 0 ? 'it has ended' : `${days} days left`;
}
