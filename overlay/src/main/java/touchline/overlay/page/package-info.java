/** The headless browser: its process, the DevTools protocol over a pipe, and pages in it. */
@NullMarked
package touchline.overlay.page;

import org.jspecify.annotations.NullMarked;
