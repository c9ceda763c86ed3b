/**
 * The menus of the header: a button shows what its `aria-controls` names. A choice, Esc, or a click
 * elsewhere closes all.
 */
export function openMenus(nav) {
  const buttons = [...nav.querySelectorAll('button[aria-controls]')];
  const isOpen = (button) => button.getAttribute('aria-expanded') === 'true';
  const set = (button, open) => button.setAttribute('aria-expanded', String(open));
  const close = () => buttons.forEach((button) => set(button, false));
  for (const button of buttons) {
    button.addEventListener('click', () => set(button, !isOpen(button)));
  }
  nav.addEventListener('click', (event) => event.target.closest('a') && close());
  nav.addEventListener('keydown', (event) => {
    const open = buttons.find(isOpen);
    if (event.key === 'Escape' && open) {
      event.stopPropagation();
      close();
      open.focus();
    }
  });
  nav.addEventListener('focusout', ({ relatedTarget }) => relatedTarget && !nav.contains(relatedTarget) && close());
  document.addEventListener('click', (event) => nav.contains(event.target) || close());
}
