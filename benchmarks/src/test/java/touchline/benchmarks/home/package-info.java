@NullMarked
package touchline.benchmarks.home;

import org.jspecify.annotations.NullMarked;
