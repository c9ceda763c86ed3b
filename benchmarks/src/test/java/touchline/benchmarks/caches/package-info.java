@NullMarked
package touchline.benchmarks.caches;

import org.jspecify.annotations.NullMarked;
