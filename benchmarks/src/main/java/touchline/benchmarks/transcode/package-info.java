/** What transcoding costs beside the ffmpeg program. */
@NullMarked
package touchline.benchmarks.transcode;

import org.jspecify.annotations.NullMarked;
