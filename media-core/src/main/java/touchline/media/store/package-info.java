/** Media bytes by key: the interface, and its implementation on disk. */
@NullMarked
package touchline.media.store;

import org.jspecify.annotations.NullMarked;
