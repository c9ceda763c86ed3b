/** The cost of viewers: throughput, blocked reloads and hostile connections. */
@NullMarked
package touchline.benchmarks.delivery;

import org.jspecify.annotations.NullMarked;
