/** Executors on virtual threads for ordered work. */
@NullMarked
package touchline.media.concurrent;

import org.jspecify.annotations.NullMarked;
