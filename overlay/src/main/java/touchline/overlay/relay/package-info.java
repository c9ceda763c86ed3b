/**
 * The way out of a browser's empty network: connections made inside it are carried to the proxies
 * of its pages.
 */
@NullMarked
package touchline.overlay.relay;

import org.jspecify.annotations.NullMarked;
