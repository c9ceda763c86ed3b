/** Ordered work on virtual threads, a limit of log lines, and what a thread's lines are about. */
@NullMarked
package touchline.media.concurrent;

import org.jspecify.annotations.NullMarked;
