/** The charts of docs/performance.md. */
@NullMarked
package touchline.benchmarks.charts;

import org.jspecify.annotations.NullMarked;
