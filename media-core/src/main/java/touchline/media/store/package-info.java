/** Bytes of media by key: a port, and its form on disk. */
@NullMarked
package touchline.media.store;

import org.jspecify.annotations.NullMarked;
