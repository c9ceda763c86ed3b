/** Media times in whole milliseconds, as text. */

/** `1:02:03.456`; without hours where there are none. */
export function clock(ms, { fraction = true } = {}) {
  const whole = fraction ? Math.round(ms) : Math.floor(ms / 1000) * 1000;
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const seconds = Math.floor(whole / 1000) % 60;
  const head = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : String(minutes);
  const tail = fraction ? `.${String(whole % 1000).padStart(3, '0')}` : '';
  return `${head}:${String(seconds).padStart(2, '0')}${tail}`;
}

/** `83.5`, `1:23.5` or `0:01:23.500` as milliseconds; null where it is none of these. */
export function parseClock(text) {
  const match = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (!match) {
    return null;
  }
  const [, hours = '0', minutes = '0', seconds, fraction = ''] = match;
  const isClock = match[2] !== undefined;
  if (isClock && (Number(seconds) > 59 || (match[1] !== undefined && Number(minutes) > 59))) {
    return null;
  }
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** For screen readers: `1 hour 2 minutes 3.456 seconds`. */
export function spoken(ms) {
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const parts = [];
  if (hours > 0) {
    parts.push(`${hours} hours`);
  }
  if (minutes > 0) {
    parts.push(`${minutes} minutes`);
  }
  parts.push(`${(ms % 60_000) / 1000} seconds`);
  return parts.join(' ');
}
