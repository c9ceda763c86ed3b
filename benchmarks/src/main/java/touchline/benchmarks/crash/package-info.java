/** Recordings after kills of the server. */
@NullMarked
package touchline.benchmarks.crash;

import org.jspecify.annotations.NullMarked;
