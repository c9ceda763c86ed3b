/** The paths that use a graphics card. */
@NullMarked
package touchline.benchmarks.gpu;

import org.jspecify.annotations.NullMarked;
