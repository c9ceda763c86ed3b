/** The watch of signals: which sessions it follows, and what clients get of it. */
@NullMarked
package touchline.api.signal;

import org.jspecify.annotations.NullMarked;
