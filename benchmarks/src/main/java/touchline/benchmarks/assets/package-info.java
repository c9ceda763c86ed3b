/** Recordings: downloads as MP4, and clips. */
@NullMarked
package touchline.benchmarks.assets;

import org.jspecify.annotations.NullMarked;
