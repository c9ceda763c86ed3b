@NullMarked
package touchline.benchmarks.delivery;

import org.jspecify.annotations.NullMarked;
