/** The history of viewers of live streams. */
@NullMarked
package touchline.api.audience;

import org.jspecify.annotations.NullMarked;
