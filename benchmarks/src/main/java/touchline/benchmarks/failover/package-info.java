/** Switches between two encoders of one stream that do not share a clock. */
@NullMarked
package touchline.benchmarks.failover;

import org.jspecify.annotations.NullMarked;
