/** What a scoreboard costs: decode, overlay and encode, against the ffmpeg command line. */
@NullMarked
package touchline.benchmarks.overlay;

import org.jspecify.annotations.NullMarked;
