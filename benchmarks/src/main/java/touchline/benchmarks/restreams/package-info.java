/** Restreams to other servers. */
@NullMarked
package touchline.benchmarks.restreams;

import org.jspecify.annotations.NullMarked;
