/** The cost of moderation: inference by device and batch, and the sampling of frames. */
@NullMarked
package touchline.benchmarks.inference;

import org.jspecify.annotations.NullMarked;
