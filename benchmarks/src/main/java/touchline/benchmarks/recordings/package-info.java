/** What recordings lack of what was published. */
@NullMarked
package touchline.benchmarks.recordings;

import org.jspecify.annotations.NullMarked;
