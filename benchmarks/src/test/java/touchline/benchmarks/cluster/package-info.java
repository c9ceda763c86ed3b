@NullMarked
package touchline.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
