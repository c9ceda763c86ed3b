/** What moderation costs: inference by device and batch, and the frames it is fed with. */
@NullMarked
package touchline.benchmarks.inference;

import org.jspecify.annotations.NullMarked;
