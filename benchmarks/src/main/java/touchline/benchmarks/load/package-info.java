/** Shared by all benchmarks: servers under test, encoders, viewers, receivers and the report. */
@NullMarked
package touchline.benchmarks.load;

import org.jspecify.annotations.NullMarked;
