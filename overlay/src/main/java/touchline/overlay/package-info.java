/** The compositor and its layers. */
@NullMarked
package touchline.overlay;

import org.jspecify.annotations.NullMarked;
