/** Makes an SVG element; attributes whose names begin with `on` are listeners. */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) {
      made.addEventListener(key.slice(2), value);
    } else if (value !== undefined && value !== null && value !== false) {
      made.setAttribute(key, String(value));
    }
  }
  made.append(...children.flat().filter(Boolean));
  return made;
}
