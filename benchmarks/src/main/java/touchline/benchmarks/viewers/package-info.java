/** Counting viewers: accuracy, freshness, and memory under forged sessions. */
@NullMarked
package touchline.benchmarks.viewers;

import org.jspecify.annotations.NullMarked;
