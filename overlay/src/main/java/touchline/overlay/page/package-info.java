/**
 * The headless browser: its process, the DevTools protocol over a pipe, its pages and their
 * proxies.
 */
@NullMarked
package touchline.overlay.page;

import org.jspecify.annotations.NullMarked;
