@NullMarked
package touchline.benchmarks.charts;

import org.jspecify.annotations.NullMarked;
