@NullMarked
package touchline.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;
