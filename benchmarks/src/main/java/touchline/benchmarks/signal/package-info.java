/** The watch of signals. */
@NullMarked
package touchline.benchmarks.signal;

import org.jspecify.annotations.NullMarked;
