@NullMarked
package touchline.benchmarks.load;

import org.jspecify.annotations.NullMarked;
