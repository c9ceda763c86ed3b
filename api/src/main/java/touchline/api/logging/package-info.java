/** The lines of the log: text or JSON, and the level. */
@NullMarked
package touchline.api.logging;

import org.jspecify.annotations.NullMarked;
