/** A real browser for tests: headless Chromium, driven over its DevTools protocol. */
@NullMarked
package touchline.api.browser;

import org.jspecify.annotations.NullMarked;
