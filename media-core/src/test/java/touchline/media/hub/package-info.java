/** Tests of the running hub. */
@NullMarked
package touchline.media.hub;

import org.jspecify.annotations.NullMarked;
