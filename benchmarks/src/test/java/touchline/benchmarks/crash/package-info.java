@NullMarked
package touchline.benchmarks.crash;

import org.jspecify.annotations.NullMarked;
