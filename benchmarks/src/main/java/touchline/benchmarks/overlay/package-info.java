/** The cost of scoreboards, beside the ffmpeg program. */
@NullMarked
package touchline.benchmarks.overlay;

import org.jspecify.annotations.NullMarked;
