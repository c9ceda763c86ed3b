/** Counting viewers of live streams, and what their players report (CMCD). */
@NullMarked
package touchline.packager.audience;

import org.jspecify.annotations.NullMarked;
