@NullMarked
package touchline.benchmarks.recordings;

import org.jspecify.annotations.NullMarked;
