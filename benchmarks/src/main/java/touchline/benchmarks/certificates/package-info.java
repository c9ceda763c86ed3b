/** Replaces the server's certificate under open connections. */
@NullMarked
package touchline.benchmarks.certificates;

import org.jspecify.annotations.NullMarked;
