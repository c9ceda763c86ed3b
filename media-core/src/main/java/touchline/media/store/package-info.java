/** Bytes of media by key, on disk. */
@NullMarked
package touchline.media.store;

import org.jspecify.annotations.NullMarked;
