/** Transcoding beside the ffmpeg program and beside live streams. */
@NullMarked
package touchline.benchmarks.transcode;

import org.jspecify.annotations.NullMarked;
