/** Executors on virtual threads for ordered work, and a limit of log lines. */
@NullMarked
package touchline.media.concurrent;

import org.jspecify.annotations.NullMarked;
