/** Live renditions beside the ffmpeg program. */
@NullMarked
package touchline.benchmarks.renditions;

import org.jspecify.annotations.NullMarked;
