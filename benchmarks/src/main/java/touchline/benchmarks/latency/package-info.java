/** The age of media when it can be loaded and when it is seen. */
@NullMarked
package touchline.benchmarks.latency;

import org.jspecify.annotations.NullMarked;
