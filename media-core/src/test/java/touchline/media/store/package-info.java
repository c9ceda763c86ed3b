/** Tests of the media store. */
@NullMarked
package touchline.media.store;

import org.jspecify.annotations.NullMarked;
