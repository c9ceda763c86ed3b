/* Shows the server's own OpenAPI document. Nothing is loaded from, or sent to, another host. */
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

window.SwaggerUIBundle({
  url: '/openapi',
  dom_id: '#reference',
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  // The address names the open operation: #/TAG/OPERATION_ID.
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  // The validator is a service of another host.
  validatorUrl: null,
  // A token is dropped with the page.
  persistAuthorization: false,
});
