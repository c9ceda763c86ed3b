/** The benchmarks' command line: which one runs. */
@NullMarked
package touchline.benchmarks;

import org.jspecify.annotations.NullMarked;
