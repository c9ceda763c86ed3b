import { qrcode } from '../vendor/qrcode.mjs';
import { svg } from './svg.js';

/** Light modules around the code (ISO/IEC 18004, 6.3.8). */
const QUIET = 4;

/** A QR code of a text, as SVG: dark on white in every colour scheme, so that cameras read it. */
export function qrCode(text, label) {
  const code = qrcode(0, 'M');
  code.addData(text, 'Byte');
  code.make();
  const count = code.getModuleCount();
  const size = count + 2 * QUIET;
  let dark = '';
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (code.isDark(row, column)) {
        dark += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
      }
    }
  }
  return svg('svg', { viewBox: `0 0 ${size} ${size}`, class: 'qr', role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    svg('rect', { width: size, height: size, fill: '#fff' }),
    svg('path', { d: dark, fill: '#000' }));
}
