/** What moderation costs: inference by device and batch, and the pictures it is fed with. */
@NullMarked
package touchline.benchmarks.inference;

import org.jspecify.annotations.NullMarked;
