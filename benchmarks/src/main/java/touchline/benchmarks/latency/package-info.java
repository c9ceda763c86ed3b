/** How old a frame is when it can be fetched, and when it is seen. */
@NullMarked
package touchline.benchmarks.latency;

import org.jspecify.annotations.NullMarked;
