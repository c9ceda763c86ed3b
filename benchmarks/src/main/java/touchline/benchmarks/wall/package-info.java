/** The control room's wall in a browser. */
@NullMarked
package touchline.benchmarks.wall;

import org.jspecify.annotations.NullMarked;
