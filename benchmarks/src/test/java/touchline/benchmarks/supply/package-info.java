@NullMarked
package touchline.benchmarks.supply;

import org.jspecify.annotations.NullMarked;
