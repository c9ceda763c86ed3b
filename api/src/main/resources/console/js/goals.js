/** Kind of the markers that a change of the score adds. */
const SCORE = 'score';

/** As many ranges as one clip can have. */
export const MAX_RANGES = 50;

/**
 * Ranges around all changes of the score, in their order; ranges that touch are one. Times are milliseconds of the asset.
 *
 * @param {{time: number, kind: string}[]} markers with times in seconds
 */
export function goalRanges(markers, { beforeMs, afterMs, durationMs }) {
  const ranges = [];
  const goals = markers.filter(({ kind }) => kind === SCORE).sort((a, b) => a.time - b.time);
  for (const { time } of goals) {
    const ms = Math.round(time * 1000);
    const inMs = Math.max(0, ms - beforeMs);
    const outMs = Math.min(durationMs, ms + afterMs);
    const last = ranges.at(-1);
    if (last && inMs <= last.outMs) {
      last.outMs = Math.max(last.outMs, outMs);
    } else if (inMs < outMs) {
      ranges.push({ inMs, outMs });
    }
  }
  return ranges;
}
