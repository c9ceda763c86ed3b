@NullMarked
package touchline.benchmarks.gpu;

import org.jspecify.annotations.NullMarked;
